/** What a deployment decides about HTTP. */
export type HttpOptions = {
  /** The public address, without a slash at the end; null takes each request's own (decisions §1.4). */
  readonly baseUrl: string | null
  /** Whether X-Forwarded-* are a trusted proxy's. */
  readonly trustProxy: boolean
  /** Whether next and prev hold only the query string (decisions §4.4). */
  readonly bareLinks: boolean
  /** Bytes a JSON body may have. */
  readonly jsonLimit: number
  /** Origins that browsers may call from; `*` for all, none for no CORS. */
  readonly corsOrigins: readonly string[]
  /** Bytes that kept answers may take; 0 keeps none. */
  readonly responseCacheBytes: number
}
