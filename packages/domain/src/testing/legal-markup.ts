/** Valid markup, generated from a schema. */
import fc from 'fast-check'
import type { AttributeValue, ContentModel, ElementRule, MarkupSchema } from '../markup/body-schema.js'

/** A character: a code point that is no surrogate. fast-check’s unit `binary` takes seconds, for a table of all. */
export const anyCharacter: fc.Arbitrary<string> = fc
  .oneof(fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((codePoint) => String.fromCodePoint(codePoint))

const blanks = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\r\n'), maxLength: 3 })
const words = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 8 }).map((text) => text.replace(/[<>&]/g, '')),
      fc.constantFrom('&amp;', '&lt;', '&#160;', '&#x1F600;', '\r\n', ']]', '> '),
    ),
    { maxLength: 3 },
  )
  // The only invalid combination of valid pieces.
  .map((parts) => parts.join('').replaceAll(']]>', ''))
const comments = fc.constantFrom('', '', '', '<!---->', '<!-- a & b <p> - > &nbsp; -->')
const addresses = fc.oneof(
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
  fc.constantFrom('/', '#x', 'path', '?q', 'mailto:a@example.org', 'tel:+43'),
)
const candidates = fc
  .array(
    fc.tuple(
      addresses.filter((address) => !/^,|,$/.test(address)),
      fc.constantFrom('', ' 2x', ' 1.5x', ' 480w', ' 480w 320h'),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((list) => list.map((parts) => parts.join('')).join(', '))

const escaped = (text: string): string =>
  text.replace(/[&<"]/g, (character) => `&#${character.codePointAt(0) ?? 0};`)

const valueOf = (value: AttributeValue): fc.Arbitrary<string> => {
  switch (value.kind) {
    case 'text':
    case 'ignored':
      return words.map((text) => text.replaceAll('"', ''))
    case 'link':
      return addresses.map(escaped)
    case 'image candidates':
      return candidates.map(escaped)
    case 'word':
      return fc.constantFrom(...value.words)
    case 'integer':
      return fc
        .tuple(fc.integer({ min: value.minimum, max: value.maximum }), fc.boolean())
        .map(([number, percent]) => `${number}${value.percentage && percent ? '%' : ''}`)
    case 'slot id':
      return fc.uuid()
  }
}

const namesOf = (name: string): fc.Arbitrary<string> => {
  if (name === '*') return fc.constantFrom('align', 'name', 'relevance', 'é')
  return name === 'data-*' ? fc.constantFrom('data-x', 'data-front.end_1', 'data--') : fc.constant(name)
}

const attributesOf = (rule: ElementRule): fc.Arbitrary<string> =>
  fc
    .tuple(
      ...rule.attributes.map(({ name, value, required }) => {
        const written = fc.tuple(namesOf(name), valueOf(value)).map(([each, text]) => ` ${each}="${text}"`)
        return required ? written : fc.oneof({ weight: 4, arbitrary: fc.constant('') }, written)
      }),
    )
    .map((parts) => parts.join(''))

const joined = (parts: readonly (readonly string[])[]): string => parts.map((part) => part.join('')).join('')

/** Valid markup of a schema. From a depth of six on, elements with text contain only text. */
export const legalMarkup = (schema: MarkupSchema): fc.Arbitrary<string> => {
  const ruleOf = (name: string): ElementRule => {
    const rule = schema.byName.get(name)
    if (rule === undefined) throw new Error(`no rule for ${name}`)
    return rule
  }

  const element = (name: string, ancestors: readonly string[]): fc.Arbitrary<string> => {
    const rule = ruleOf(name)
    return fc
      .tuple(attributesOf(rule), contentOf(rule.content, [...ancestors, name]), fc.boolean(), blanks)
      .map(([attributes, content, short, blank]) =>
        content === '' && short
          ? `<${name}${attributes}${blank}/>`
          : `<${name}${attributes}${blank}>${content}</${name}${blank}>`,
      )
  }

  const contentOf = (model: ContentModel, ancestors: readonly string[]): fc.Arbitrary<string> => {
    if (model.kind === 'empty') return fc.constant('')
    const text = model.kind === 'mixed' ? words : blanks
    if (model.kind === 'mixed' && ancestors.length > 5) return text
    const between = fc.tuple(text, comments).map((parts) => parts.join(''))
    const names = model.elements.filter(
      (name) => !ruleOf(name).notWithin.some((outer) => ancestors.includes(outer)),
    )
    const child = fc.constantFrom(...names).chain((name) => element(name, ancestors))
    const children = fc
      .array(fc.tuple(between, child, between), { maxLength: 3, size: 'small' })
      .map(joined)
      .map((each) => (model.kind === 'mixed' ? each.replaceAll(/\]\]>(?!<)/g, '') : each))
    if (model.kind !== 'mixed' || model.alone.length === 0) return children
    const single = fc.constantFrom(...model.alone).chain((name) => element(name, ancestors))
    const alone = fc.tuple(blanks, comments, single, comments, blanks).map((parts) => parts.join(''))
    return fc.oneof({ weight: 3, arbitrary: children }, alone)
  }

  return contentOf(schema.top, [])
}
