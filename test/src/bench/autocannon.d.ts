/** The part of autocannon that the bench uses; the package brings no types of its own. */
declare module 'autocannon' {
  export type Request = {
    readonly method?: string
    readonly path?: string
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: string
  }

  export type Client = {
    on(event: 'headers', listener: (head: { readonly statusCode: number }) => void): Client
    on(event: 'response', listener: (status: number, bytes: number) => void): Client
    on(event: 'mismatch', listener: (body: string) => void): Client
  }

  export type Options = {
    readonly url: string
    readonly connections: number
    /** Seconds */
    readonly duration: number
    /** Milliseconds between two looks at the counters, and at whether the time is over. */
    readonly sampleInt: number
    /** Seconds */
    readonly timeout: number
    readonly requests: readonly { readonly setupRequest: (request: Request) => Request }[]
    readonly setupClient: (client: Client) => void
    readonly verifyBody?: (body: string) => boolean
  }

  export type Result = {
    readonly requests: { readonly total: number }
    readonly duration: number
    readonly latency: { readonly p50: number; readonly p99: number }
    readonly errors: number
    readonly timeouts: number
  }

  const autocannon: (options: Options) => Promise<Result>
  // The package is one function, which Node gives as its default export.
  // oxlint-disable-next-line import/no-default-export
  export default autocannon
}
