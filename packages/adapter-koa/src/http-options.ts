import type { DeploymentFacts } from '@publishing-service/http-contract'

/** The settings of a deployment for HTTP, with the facts that the documentation shows. */
export type HttpOptions = DeploymentFacts & {
  /** Whether X-Forwarded-* headers are set by a trusted proxy. */
  readonly trustProxy: boolean
  /** Whether next and prev contain only the query string (docs/behaviour/collections.md#bare-links). */
  readonly bareLinks: boolean
  /** Origins that browsers may call from; `*` for all, none for no CORS. */
  readonly corsOrigins: readonly string[]
  /** Seconds in which a JSON body must be received, from its first byte to its last. */
  readonly jsonSeconds: number
  /** Connections that one address may have open without a valid token; 0 for no limit. */
  readonly connectionsPerAddress: number
  /** Whether responses are compressed for clients that accept it. */
  readonly compression: boolean
  /** The most bytes of cached responses; 0 for no cache. */
  readonly responseCacheBytes: number
  /** The most bytes of bodies that wait until clients read them; above that, 503. */
  readonly unsentBytes: number
  /** Milliseconds from which a request is logged as slow; 0 for none. */
  readonly slowRequest: number
}

/**
 * Whether links start with what the proxy forwards. A shared cache in front of it does not see these headers, so it must
 * not store such links.
 */
export const hasForwardedLinks = ({
  trustProxy,
  baseUrl,
}: Pick<HttpOptions, 'trustProxy' | 'baseUrl'>): boolean => trustProxy && baseUrl === null
