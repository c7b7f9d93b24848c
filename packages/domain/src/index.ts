export * from './fp.js'
export * from './json.js'
