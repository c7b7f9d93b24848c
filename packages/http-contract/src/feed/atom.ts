import type { Feed, FeedEntry } from '@publishing-service/domain/feeds'
import { urnOf, xmlDeclaration, xmlOf, type Xml } from './xml.js'

export const atomType = 'application/atom+xml'

const person = (name: string): Xml => ({ name })

const entryOf = ({
  uuid,
  url,
  title,
  published,
  updated,
  authors,
  summary,
  html,
  image,
}: FeedEntry): Xml => ({
  id: urnOf(uuid),
  title,
  published,
  updated,
  author: authors.map(person),
  link: [
    { '@rel': 'alternate', '@type': 'text/html', '@href': url },
    ...(image === null
      ? []
      : [
          {
            '@rel': 'enclosure',
            '@type': image.mimetype,
            '@length': String(image.bytes),
            '@href': image.url,
          },
        ]),
  ],
  ...(summary === null ? {} : { summary }),
  ...(html === null ? {} : { content: { '@type': 'html', '@xml:base': url, '#text': html } }),
})

/** A feed as Atom (RFC 4287). `self` is its address. */
export const atomOf = (
  { uuid, title, publication, language, url, updated, hub, entries }: Feed,
  self: string,
): string =>
  xmlDeclaration +
  xmlOf({
    feed: {
      '@xmlns': 'http://www.w3.org/2005/Atom',
      '@xml:lang': language,
      id: uuid === null ? url : urnOf(uuid),
      title,
      updated,
      author: person(publication),
      link: [
        { '@rel': 'self', '@type': atomType, '@href': self },
        { '@rel': 'alternate', '@type': 'text/html', '@href': url },
        ...(hub === null ? [] : [{ '@rel': 'hub', '@href': hub }]),
      ],
      entry: entries.map(entryOf),
    },
  })
