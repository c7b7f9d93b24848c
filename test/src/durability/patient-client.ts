/** A client of a service whose clock is fast. */
import type { Json } from '@publishing-service/domain/json'
import type { Api, ApiResponse, RequestOptions } from '../harness/http-client.js'

/** How often a request is sent again whose connection was closed: limits of time are short, too. */
const attempts = 20

/** Whether the service has ended a request because it took too long by its clock, or has not begun it. */
const wasLate = ({ status, text }: ApiResponse): boolean =>
  status === 408 || status === 503 || (status === 400 && text.includes('"bad_request"'))

/**
 * A client that opens a connection for each request: the service closes idle ones sooner than its clock says. It sends a request
 * again that was ended so, or whose connection was closed, so each must have the same effect if it is repeated.
 */
export const patient = (api: Api): Api => {
  const send = async (method: string, path: string, options: RequestOptions = {}): Promise<ApiResponse> => {
    const headers = { Connection: 'close', ...options.headers }
    for (let attempt = 1; ; attempt += 1)
      try {
        const response = await api.send(method, path, { ...options, headers })
        if (!wasLate(response) || attempt === attempts) return response
      } catch (error) {
        const isClosed = error instanceof Error && 'code' in error && error.code === 'ECONNRESET'
        if (!isClosed || attempt === attempts) throw error
      }
  }
  const sent =
    (method: string) =>
    (path: string, value: Json, headers: RequestOptions['headers'] = {}) =>
      send(method, path, {
        body: JSON.stringify(value),
        headers: { 'Content-Type': 'application/json', ...headers },
      })
  return {
    token: api.token,
    send,
    get: (path, headers = {}) => send('GET', path, { headers }),
    head: (path, headers = {}) => send('HEAD', path, { headers }),
    put: sent('PUT'),
    patch: sent('PATCH'),
    post: sent('POST'),
    delete: (path, headers = {}) => send('DELETE', path, { headers }),
  }
}
