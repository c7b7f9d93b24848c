export * from './metrics-server.js'
export * from './prometheus-metrics.js'
export * from './metrics-together.js'
