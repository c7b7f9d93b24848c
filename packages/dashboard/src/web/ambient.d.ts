/** The description of the API that the build inserts (bin/build-dashboard.js). */
declare module 'virtual:model' {
  export const model: import('../../dist/model.js').Model
}

declare module '*.css'

declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>
  export default classes
}
