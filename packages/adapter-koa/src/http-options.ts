import type { DeploymentFacts } from '@publishing-service/http-contract'

/** What a deployment decides about HTTP, with what documents tell of it. */
export type HttpOptions = DeploymentFacts & {
  /** Whether X-Forwarded-* are a trusted proxy's. */
  readonly trustProxy: boolean
  /** Whether next and prev hold only the query string (decisions §4.4). */
  readonly bareLinks: boolean
  /** Origins that browsers may call from; `*` for all, none for no CORS. */
  readonly corsOrigins: readonly string[]
  /** Bytes that kept answers may take; 0 keeps none. */
  readonly responseCacheBytes: number
}
