export * from './opentelemetry-traces.js'
export * from './samplers.js'
