import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { PrometheusMetrics } from './prometheus-metrics.js'

export type MetricsServer = {
  /** Resolves with the port. Rejects where the server can’t listen on it. */
  readonly listen: (port: number, host: string) => Promise<number>
  readonly close: () => Promise<void>
}

const send = (response: ServerResponse, status: number, type: string, text: string): void => {
  response.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(text) })
  response.end(text)
}

/** A server of its own for `/metrics`, which is for the network of the operator and needs no token. */
export const metricsServer = (metrics: Pick<PrometheusMetrics, 'text' | 'mediaType'>): MetricsServer => {
  const server = createServer({ keepAliveTimeout: 72_000 }, (request, response) => {
    if (request.url !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD'))
      return send(response, 404, 'text/plain; charset=utf-8', 'The metrics are at GET /metrics.\n')
    metrics.text().then(
      (text) => send(response, 200, metrics.mediaType, text),
      () => send(response, 500, 'text/plain; charset=utf-8', 'The metrics cannot be read.\n'),
    )
  })
  return {
    listen: async (port, host) => {
      server.listen(port, host)
      await once(server, 'listening')
      const address = server.address()
      return typeof address === 'object' && address !== null ? address.port : port
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
