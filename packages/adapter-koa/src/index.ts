export type { HttpOptions } from './http-options.js'
export { createHttpServer, type HttpServer, type Place, type ShutdownTimes } from './http-server.js'
