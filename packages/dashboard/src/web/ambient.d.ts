/** The description of the API that the build inserts (bin/build-dashboard.js). */
declare module 'virtual:model' {
  export const model: import('../../dist/model.js').Model
}

declare module '*.css'
