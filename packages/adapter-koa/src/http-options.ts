import type { DeploymentFacts } from '@publishing-service/http-contract'

/** What a deployment decides about HTTP, with what documents tell of it. */
export type HttpOptions = DeploymentFacts & {
  /** Whether X-Forwarded-* are a trusted proxy's. */
  readonly trustProxy: boolean
  /** Whether next and prev hold only the query string (docs/behaviour/collections.md#bare-links). */
  readonly bareLinks: boolean
  /** Origins that browsers may call from; `*` for all, none for no CORS. */
  readonly corsOrigins: readonly string[]
  /** Seconds that a JSON body may take from its first byte to its last. */
  readonly jsonSeconds: number
  /** Connections that one address may have open without a valid token; 0 for no limit. */
  readonly connectionsPerAddress: number
  /** Bytes that kept answers may take; 0 keeps none. */
  readonly responseCacheBytes: number
}
