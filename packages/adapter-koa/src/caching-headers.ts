import {
  hasSharedMaxAge,
  sharedCacheControl,
  tokenVary,
  type Caching,
} from '@publishing-service/http-contract'
import { hasForwardedLinks, type HttpOptions } from './http-options.js'
import { varyBy, type CachingHeaders } from './ready-response.js'

/** `hasSharedMaxAge` is whether Cache-Control also has the seconds for shared caches, which are a setting of the instance. */
type TableHeaders = CachingHeaders & { readonly hasSharedMaxAge: boolean }

/**
 * The caching headers of responses with a token, of those without one, and of those without one that a token would not
 * change.
 */
type ByAudience = Readonly<Record<'private' | 'public' | 'everyone', TableHeaders>>

export type CachingHeadersTable = Readonly<Record<Caching, ByAudience>>

/** The caching headers of every class of responses of a deployment (docs/behaviour/caching.md#cache-control). */
export const cachingHeadersOf = (
  options: Pick<HttpOptions, 'baseUrl' | 'compression' | 'trustProxy'>,
): CachingHeadersTable => {
  const isForwarded = hasForwardedLinks(options)
  const headers = (caching: Caching, isPublic: boolean, names: readonly string[]): TableHeaders => ({
    control: sharedCacheControl({ caching, isPublic, isForwarded }),
    vary: varyBy(names, options.compression),
    hasSharedMaxAge: hasSharedMaxAge({ caching, isPublic, isForwarded }),
  })
  const of = (caching: Caching): ByAudience => ({
    private: headers(caching, false, tokenVary),
    public: headers(caching, true, ['Authorization']),
    everyone: headers(caching, true, []),
  })
  return {
    object: of('object'),
    settings: of('settings'),
    download: of('download'),
    documentation: of('documentation'),
    unstored: of('unstored'),
    none: of('none'),
  }
}
