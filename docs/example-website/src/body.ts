/** The body of content, in which each slot is replaced by its media. */
import { markup, trusted, type Markup } from './markup.js'
import { large, link, picture } from './parts.js'
import type { Content, Medium } from './publication.js'

/** An image with its caption. Audio, video and embedded pages of other hosts are links. */
const figure = (medium: Medium) => {
  const embedded = medium.type === 'embed' ? /\ssrc="(https:[^"]+)"/.exec(medium.embed_code)?.[1] : null
  const address = medium.type === 'external' ? (medium.url ?? medium.urls?.[0]?.url) : embedded
  return markup`<figure>
    ${picture(medium.type === 'embed' ? medium.thumb_url : medium.image_url, large, medium.title)}
    <figcaption><b>${medium.title}</b>${trusted(medium.content)}
      ${link(address?.replaceAll('&amp;', '&'), 'Open')}</figcaption>
  </figure>`
}

const slotTag = /(?:<p>\s*)?<slot\s((?:"[^"]*"|'[^']*'|[^>"'])*?)(?:\/>|>\s*<\/slot\s*>)(?:\s*<\/p>)?/g

export const bodyOf = ({ content }: Content, media: readonly Medium[]): Markup => {
  const replaced = (content ?? '').replace(slotTag, (_tag, attributes: string) => {
    const id = /(?:^|\s)id\s*=\s*["']([^"']*)/.exec(attributes)?.[1]
    const figures = media.filter(({ slot_uuid: slot }) => slot === id).map(figure)
    return markup`<div class="${figures.length > 1 ? 'gallery' : 'single'}">${figures}</div>`.html
  })
  return markup`<div class="body">${trusted(replaced)}</div>`
}
