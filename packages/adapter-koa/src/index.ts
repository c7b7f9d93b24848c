export type { HttpOptions } from './http-options.js'
export { createHttpServer, type HttpServer } from './http-server.js'
