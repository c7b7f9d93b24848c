import { sitemapLimits, type News, type Sitemap } from '@publishing-service/domain/feeds'
import { xmlDeclaration, xmlOf, type Xml } from './xml.js'

export const sitemapType = 'application/xml'

const namespace = 'http://www.sitemaps.org/schemas/sitemap/0.9'

const extension = (name: 'image' | 'news', version: string): string =>
  ` xmlns:${name}="http://www.google.com/schemas/sitemap-${name}/${version}"`

/** Pages that are encoded at a time. */
const pieceLength = 500

function* inPieces<A>(entries: readonly A[], encode: (entry: A) => Xml): Generator<string> {
  for (let from = 0; from < entries.length; from += pieceLength)
    yield xmlOf({ url: entries.slice(from, from + pieceLength).map(encode) })
}

const imageOf = (address: string): Xml => ({ 'image:loc': address })

const bytesAroundAddress = xmlOf({ 'image:image': imageOf('') }).length

/** Writes images until those of a sitemap have as many bytes as it may have of them. */
const imageWriter = () => {
  let remaining: number = sitemapLimits.imageBytes
  return (images: readonly string[]): readonly Xml[] =>
    images
      .filter((address) => {
        remaining -= bytesAroundAddress + address.length
        return remaining >= 0
      })
      .map(imageOf)
}

/** A sitemap, or the index of its parts (sitemaps.org), in pieces. `self` is the address of the index. */
export function* sitemapXml(sitemap: Sitemap, self: string): Generator<string> {
  const isIndex = 'parts' in sitemap
  const root = isIndex ? 'sitemapindex' : 'urlset'
  yield `${xmlDeclaration}<${root} xmlns="${namespace}"${isIndex ? '' : extension('image', '1.1')}>`
  if (isIndex) {
    const numbers = Array.from({ length: sitemap.parts }, (_, index) => index + 1)
    yield xmlOf({ sitemap: numbers.map((number) => ({ loc: `${self}?part=${number}` })) })
  } else {
    const writeImages = imageWriter()
    yield* inPieces(sitemap.entries, ({ url, changed, images }) => ({
      loc: url,
      ...(changed === null ? {} : { lastmod: changed }),
      'image:image': writeImages(images),
    }))
  }
  yield `</${root}>`
}

/** A sitemap of news, in pieces. */
export function* newsXml({ publication, language, entries }: News): Generator<string> {
  yield `${xmlDeclaration}<urlset xmlns="${namespace}"${extension('news', '0.9')}>`
  yield* inPieces(entries, ({ url, title, published }) => ({
    loc: url,
    'news:news': {
      'news:publication': { 'news:name': publication, 'news:language': language },
      'news:publication_date': published,
      'news:title': title,
    },
  }))
  yield '</urlset>'
}
