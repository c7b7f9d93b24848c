/** The requests of a row, and one exchange. */

/**
 * In the body, `{serial}` is a number of twelve digits that no other request of a run has; in the path, `{turn}` is
 * the next of `turns`.
 */
export type Requests = {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer | null
  readonly turns: readonly string[]
}

export type Request = Omit<Requests, 'method' | 'turns'> & { readonly method: string }

export type Response = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** Request number `serial` of a row. */
export const requestAt = ({ turns, ...request }: Requests, serial: number): Request => {
  const path = request.path.replaceAll('{turn}', turns[serial % turns.length] ?? '')
  const digits = String(serial).padStart(12, '0')
  const body = typeof request.body === 'string' ? request.body.replaceAll('{serial}', digits) : request.body
  return { ...request, path, body }
}

/** Rejects if no response comes. */
export const exchange = async (url: string, { path, ...request }: Request): Promise<Response> => {
  const headers = { 'Accept-Encoding': 'identity', ...request.headers }
  const signal = AbortSignal.timeout(30_000)
  const response = await fetch(`${url}${path}`, { ...request, headers, signal })
  const body = Buffer.from(await response.arrayBuffer())
  return { status: response.status, headers: Object.fromEntries(response.headers), body }
}

export const get = (url: string, path: string, headers: Requests['headers'] = {}): Promise<Response> =>
  exchange(url, { method: 'GET', path, headers, body: null })

export const jsonOf = ({ body }: Response): unknown => JSON.parse(body.toString('utf8'))
