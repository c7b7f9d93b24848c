export * from './metrics-server.js'
export * from './prometheus-metrics.js'
