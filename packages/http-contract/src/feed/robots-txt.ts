import type { Website } from '@publishing-service/domain/feeds'

/** robots.txt (RFC 9309) that allows all but some paths, with the addresses of the sitemaps. */
export const robotsTxt = (
  { robots_disallow: disallowed }: Pick<Website, 'robots_disallow'>,
  sitemaps: readonly string[],
): string =>
  [
    'User-agent: *',
    ...disallowed.map((path) => `Disallow: ${path}`),
    'Allow: /',
    '',
    ...sitemaps.map((address) => `Sitemap: ${address}`),
    '',
  ].join('\n')
