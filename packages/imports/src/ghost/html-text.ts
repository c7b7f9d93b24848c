/** Texts of a post as HTML. */
import { isJsonObject } from '@publishing-service/domain/json'
import { escaped } from '../escaped.js'

/** An element around HTML; nothing if the HTML is empty. */
export const wrapped = (name: string, html: string): string =>
  html.trim() === '' ? '' : `<${name}>${html}</${name}>`

/** A link; only its HTML if there is no address. */
export const linked = (address: string, html: string): string =>
  address.trim() === '' ? html : `<a href="${escaped(address)}">${html}</a>`

/** HTML without its tags, as a text of at most so many characters for a note. */
export const excerpt = (html: string, most = 200): string =>
  html
    .slice(0, most * 20)
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, most)

/** The values of a card or a node. */
export type Fields = Readonly<Record<string, unknown>>

export const fieldsIn = (value: unknown): Fields => (isJsonObject(value) ? value : {})

/** A text of a card; empty if it is absent or of another type. */
export const textIn = (fields: Fields, name: string): string => {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

export const listIn = (fields: Fields, name: string): readonly unknown[] => {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined
  return Array.isArray(value) ? value : []
}

export const flagIn = (fields: Fields, name: string): boolean =>
  Object.hasOwn(fields, name) && fields[name] === true

/** Names of values that are shown, in cards that are unknown. */
const shownNames = /text|title|caption|heading|header|label|description|content|html|body|name|quote/i

/** The most values of an unknown card. */
const mostValues = 10_000

/** The texts that an unknown card or node shows, as far as these are recognized, in their order. */
export const shownTexts = (value: unknown): readonly string[] => {
  const found: string[] = []
  const waiting: { readonly name: string; readonly value: unknown }[] = [{ name: '', value }]
  for (let count = 0; count < mostValues; count += 1) {
    const next = waiting.pop()
    if (next === undefined) break
    const { name, value: each } = next
    if (typeof each === 'string') {
      const isShown = shownNames.test(name) || /\S\s+\S|</.test(each)
      if (isShown && each.trim() !== '' && !/^(?:https?:\/\/|__GHOST_URL__)\S*$/.test(each)) found.push(each)
    } else if (Array.isArray(each)) {
      for (const item of each.toReversed()) waiting.push({ name, value: item })
    } else if (isJsonObject(each)) {
      for (const [key, item] of Object.entries(each).toReversed()) waiting.push({ name: key, value: item })
    }
  }
  return found
}
