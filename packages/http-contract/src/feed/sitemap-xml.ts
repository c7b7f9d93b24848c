import type { Sitemap } from '@publishing-service/domain/feeds'
import { xmlDeclaration, xmlOf } from './xml.js'

export const sitemapType = 'application/xml'

const namespace = 'http://www.sitemaps.org/schemas/sitemap/0.9'

/** Pages that are encoded at a time. */
const pieceLength = 500

/** A sitemap, or the index of its parts (sitemaps.org), in pieces. `self` is the address of the index. */
export function* sitemapXml(sitemap: Sitemap, self: string): Generator<string> {
  const root = 'parts' in sitemap ? 'sitemapindex' : 'urlset'
  yield `${xmlDeclaration}<${root} xmlns="${namespace}">`
  if ('parts' in sitemap) {
    const numbers = Array.from({ length: sitemap.parts }, (_, index) => index + 1)
    yield xmlOf({ sitemap: numbers.map((number) => ({ loc: `${self}?part=${number}` })) })
  } else
    for (let from = 0; from < sitemap.entries.length; from += pieceLength)
      yield xmlOf({
        url: sitemap.entries
          .slice(from, from + pieceLength)
          .map(({ url, changed }) => ({ loc: url, ...(changed === null ? {} : { lastmod: changed }) })),
      })
  yield `</${root}>`
}
