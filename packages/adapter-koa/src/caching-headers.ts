import { sharedCacheControl, tokenVary, type Caching } from '@publishing-service/http-contract'
import { hasForwardedLinks, type HttpOptions } from './http-options.js'
import { varyBy, type CachingHeaders } from './ready-response.js'

/** The caching headers of responses that need no token, and of all others. */
type ByAudience = { readonly public: CachingHeaders; readonly private: CachingHeaders }

export type CachingHeadersTable = Readonly<Record<Caching, ByAudience>>

/** The caching headers of every class of responses of a deployment (docs/behaviour/caching.md#cache-control). */
export const cachingHeadersOf = (
  options: Pick<HttpOptions, 'baseUrl' | 'compression' | 'trustProxy'>,
): CachingHeadersTable => {
  const isForwarded = hasForwardedLinks(options)
  const of = (caching: Caching): ByAudience => ({
    public: {
      control: sharedCacheControl({ caching, isPublic: true, isForwarded }),
      vary: varyBy([], options.compression),
    },
    private: {
      control: sharedCacheControl({ caching, isPublic: false, isForwarded }),
      vary: varyBy(tokenVary, options.compression),
    },
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
