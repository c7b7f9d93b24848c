/**
 * How long responses may be cached, and by which caches (docs/behaviour/caching.md#cache-control). No cache stores those that
 * are `unstored`, but they have an entity tag, for preconditions; those of `none` have not.
 */
export type Caching = 'object' | 'settings' | 'download' | 'documentation' | 'unstored' | 'none'

const year = 31_536_000

/** The Cache-Control of a successful response (docs/behaviour/caching.md#cache-control). */
export const cacheControl: Readonly<Record<Caching, string>> = {
  object: 'private, max-age=60',
  settings: 'private, max-age=300',
  download: `private, max-age=${year}, immutable`,
  documentation: 'public, max-age=300',
  unstored: 'no-store',
  none: 'no-store',
}

/** The Cache-Control of a response that needs no token (docs/behaviour/caching.md#public-data). */
export const publicCacheControl = (caching: Caching): string =>
  cacheControl[caching].replace('private', 'public')

/** The Cache-Control of a file whose data never changes under its address. */
export const immutableCacheControl = publicCacheControl('download')

/** Seconds for which a shared cache may send an outdated response while it requests a new one. */
const revalidationSeconds = 60

/** Who may cache a response, and for how long. */
export type SharedCaching = {
  readonly caching: Caching
  /** Whether it needs no token. */
  readonly isPublic: boolean
  /** Whether its links come from headers of a proxy, which a shared cache in front of that does not see. */
  readonly isForwarded: boolean
}

/** The Cache-Control of a response with links (docs/behaviour/caching.md#cache-control). */
export const sharedCacheControl = ({ caching, isPublic, isForwarded }: SharedCaching): string => {
  if (isForwarded) return cacheControl[caching].replace('public', 'private')
  return isPublic ? publicCacheControl(caching) : cacheControl[caching]
}

/**
 * Whether shared caches may use a response for other seconds than clients (docs/behaviour/caching.md#public-data): objects
 * and settings without a token. Data never changes under its address.
 */
export const hasSharedMaxAge = ({ caching, isPublic, isForwarded }: SharedCaching): boolean =>
  isPublic && !isForwarded && (caching === 'object' || caching === 'settings')

/** Cache-Control of a response that has other seconds for shared caches. */
export const withSharedMaxAge = (control: string, seconds: number): string =>
  `${control}, s-maxage=${seconds}, stale-while-revalidate=${revalidationSeconds}`

/** The request headers that a response of an endpoint with a token depends on, besides Accept-Encoding. */
export const tokenVary: readonly string[] = ['Accept', 'Authorization']

/** The value of Vary for these headers. */
export const vary = tokenVary.join(', ')
