import type { Caching } from './endpoint.js'

const year = 31_536_000

/** The Cache-Control of a successful response (docs/behaviour/caching.md#cache-control). */
export const cacheControl: Readonly<Record<Caching, string>> = {
  object: 'private, max-age=60',
  settings: 'private, max-age=300',
  download: `private, max-age=${year}, immutable`,
  documentation: 'public, max-age=300',
  none: 'no-store',
}

/** The Cache-Control of a response that needs no token (docs/behaviour/caching.md#public-data). */
export const publicCacheControl = (caching: Caching): string =>
  cacheControl[caching].replace('private', 'public')

/** The Cache-Control of a file whose data never changes under its address. */
export const immutableCacheControl = publicCacheControl('download')

/** The request headers that a response depends on. */
export const vary = 'Accept, Authorization'
