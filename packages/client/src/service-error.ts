type Problem = {
  readonly error: string
  readonly error_description: string
  readonly error_info?: Readonly<Record<string, unknown>>
}

const isProblem = (body: unknown): body is Problem =>
  typeof body === 'object' && body !== null && 'error' in body && 'error_description' in body

/** The most faults in a message; all are in `faults`. */
const maxFaults = 5

/** The first faults, a line each: `fields: unknown name «x»`. */
const faultLines = (faults: Readonly<Record<string, unknown>>): readonly string[] => {
  const lines = Object.entries(faults).map(
    ([name, message]) => `  ${name}: ${typeof message === 'string' ? message : JSON.stringify(message)}`,
  )
  const left = lines.length - maxFaults
  return left > 0 ? [...lines.slice(0, maxFaults), `  and ${left} more`] : lines
}

/** An error response of the service. Its message has the address, what is wrong, and the first faults. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly status: number
  /** The code, such as `not_found`; null if the response is not from the service, but from a proxy, for example. */
  readonly code: string | null
  /** The messages of `bad_parameters`, by attribute or parameter. */
  readonly faults: Readonly<Record<string, unknown>>
  /** Under this id, the request is in the log of the service. */
  readonly requestId: string | null

  constructor({ status, headers, url }: Response, body: unknown) {
    const problem = isProblem(body) ? body : null
    const description = problem?.error_description ?? 'The response is not from the service.'
    super(
      [
        `${status} from ${url || 'the service'}: ${description}`,
        ...faultLines(problem?.error_info ?? {}),
      ].join('\n'),
    )
    this.status = status
    this.code = problem?.error ?? null
    this.faults = problem?.error_info ?? {}
    this.requestId = headers.get('X-Request-Id')
  }
}

type Result<D> = { readonly data?: D; readonly error?: unknown; readonly response: Response }

/** The data of a response to `GET`, `POST` and so on. Throws a `ServiceError` if it is an error response. */
export const dataOf = <D>({ data, error, response }: Result<D>): D => {
  if (data === undefined) throw new ServiceError(response, error)
  return data
}

/** Reads the JSON of a response. Throws a `ServiceError` if it is an error response. */
export const readJson = async <D>(response: Response): Promise<D> => {
  if (response.ok) return (await response.json()) as D
  const body: unknown = await response.json().catch(() => null)
  throw new ServiceError(response, body)
}
