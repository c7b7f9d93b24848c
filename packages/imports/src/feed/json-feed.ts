/** JSON Feed 1.0 and 1.1. */
import { isJsonObject, type JsonObject } from '@publishing-service/domain/json'
import { escaped } from '../escaped.js'
import type { Feed, FeedItem } from './feed-item.js'

const textIn = (object: JsonObject, ...names: readonly string[]): string => {
  for (const name of names) {
    const value = object[name]
    if (typeof value === 'string' && value.trim() !== '') return value.trim()
    if (typeof value === 'number') return String(value)
  }
  return ''
}

const objectsIn = (object: JsonObject, name: string): readonly JsonObject[] => {
  const value = object[name]
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

/** Version 1.0 has one author, 1.1 several. */
const namesIn = (object: JsonObject): readonly string[] => {
  const { author } = object
  return [...objectsIn(object, 'authors'), ...(isJsonObject(author) ? [author] : [])].flatMap((each) => {
    const name = textIn(each, 'name')
    return name === '' ? [] : [name]
  })
}

/** Plain text as HTML. */
const htmlOf = (text: string): string =>
  escaped(text)
    .split(/\r?\n\s*\r?\n/)
    .map((each) => `<p>${each.trim().replaceAll(/\r?\n/g, '<br>')}</p>`)
    .join('')

const itemOf = (item: JsonObject, feed: JsonObject): FeedItem => {
  const address = textIn(item, 'url', 'external_url')
  const plain = textIn(item, 'content_text')
  const own = namesIn(item)
  const tags = item['tags']
  return {
    id: textIn(item, 'id') || address,
    address,
    title: htmlOf(textIn(item, 'title')),
    content: textIn(item, 'content_html') || (plain === '' ? '' : htmlOf(plain)),
    summary: htmlOf(textIn(item, 'summary')),
    published: textIn(item, 'date_published', 'date_modified'),
    modified: textIn(item, 'date_modified'),
    authors: [...new Set(own.length > 0 ? own : namesIn(feed))],
    categories: Array.isArray(tags) ? tags.filter((each) => typeof each === 'string') : [],
    image: textIn(item, 'image', 'banner_image'),
    attachments: objectsIn(item, 'attachments').map((each) => ({
      address: textIn(each, 'url'),
      type: textIn(each, 'mime_type'),
    })),
    notes: [],
    line: null,
  }
}

/** The feed in a JSON; null if it is another document. */
export const feedInJson = (value: unknown): Feed | null => {
  if (!isJsonObject(value) || !Array.isArray(value['items'])) return null
  return {
    home: textIn(value, 'home_page_url'),
    items: objectsIn(value, 'items').map((item) => itemOf(item, value)),
  }
}
