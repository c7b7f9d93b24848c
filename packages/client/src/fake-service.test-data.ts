import { createClient, type Credentials } from './create-client.js'

export type Handler = (request: Request) => Response | Promise<Response>

export const json = (body: unknown, init?: ResponseInit): Response => Response.json(body, init)

export const problem = (status: number, error: string, headers: Record<string, string> = {}): Response =>
  json({ error, error_description: `It is ${error}.` }, { status, headers })

const ownKey: Credentials = { key: 'k', secret: 's' }

/** A client whose requests are handled by a function; token requests return `token-1`, `token-2` and so on. */
export const clientOf = (
  handle: Handler,
  {
    credentials = ownKey,
    retries = 3,
  }: { readonly credentials?: Credentials; readonly retries?: number } = {},
) => {
  const requests: string[] = []
  let tokens = 0
  const fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init)
    const { pathname, search } = new URL(request.url)
    requests.push(`${request.method} ${pathname}${search}`)
    if (pathname !== '/oauth/token') return handle(request)
    tokens += 1
    return json({ access_token: `token-${tokens}`, token_type: 'bearer', expires_in: 86_400, items: [] })
  }
  const client = createClient({ service: 'http://service.test/', fetch, retries, ...credentials })
  return { client, requests }
}
