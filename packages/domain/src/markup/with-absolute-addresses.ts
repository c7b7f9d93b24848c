import { SaxesParser } from 'saxes'
import { E } from '../fp.js'
import { parsedAddress } from '../value/parsed-address.js'
import { bodySchema } from './body-schema.js'
import { imageCandidates } from './link-fault.js'

/** The attributes of each element that contain one address, or several with widths or densities. */
const addressAttributes = new Map(
  bodySchema.elements.map(({ name, attributes }) => [
    name,
    new Map(
      attributes.flatMap(({ name: attribute, value: { kind } }) =>
        kind === 'link' || kind === 'image candidates' ? [[attribute, kind] as const] : [],
      ),
    ),
  ]),
)

const hasScheme = /^[A-Za-z][A-Za-z0-9+.-]*:/

const absolute = (address: string, base: string): string =>
  hasScheme.test(address) ? address : (parsedAddress(address, base)?.href ?? address)

const absoluteCandidates = (value: string, base: string): string => {
  const candidates = imageCandidates(value)
  if (E.isLeft(candidates)) return value
  const pieces: string[] = []
  let copied = 0
  for (const { from, to } of candidates.right) {
    pieces.push(value.slice(copied, from), absolute(value.slice(from, to), base))
    copied = to
  }
  return [...pieces, value.slice(copied)].join('')
}

const escaped: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** Valid markup with absolute addresses: relative ones are those that `base` leads to. All else is unchanged. */
export const withAbsoluteAddresses = (markup: string, base: string): string => {
  const parser = new SaxesParser({ fragment: true, position: false })
  const pieces: string[] = []
  let copied = 0
  let attributes: ReadonlyMap<string, 'link' | 'image candidates'> | undefined
  parser.on('opentagstart', ({ name }) => {
    attributes = addressAttributes.get(name)
  })
  parser.on('attribute', ({ name, value }) => {
    const kind = attributes?.get(name)
    if (kind === undefined) return
    const read = kind === 'link' ? absolute(value, base) : absoluteCandidates(value, base)
    if (read === value) return
    // The parser has read the quote after the value, and a value does not contain its quote.
    const end = parser.position - 1
    const start = markup.lastIndexOf(markup.charAt(end), end - 1) + 1
    pieces.push(
      markup.slice(copied, start),
      read.replaceAll(/[&<"']/g, (each) => escaped[each] ?? each),
    )
    copied = end
  })
  parser.write(markup)
  return [...pieces, markup.slice(copied)].join('')
}

const commentsAndSlots = /<!--[^]*?-->|<slot(?:\s[^>]*)?>(?:\s*<\/slot\s*>)?/g

/** A valid body without its slot tags. Valid markup has no `>` or `<` in the value of a slot's attribute, a UUID. */
export const withoutSlots = (body: string): string =>
  body.replace(commentsAndSlots, (match) => (match.startsWith('<!') ? match : ''))
