/** Legal bodies, generated from the schema that judges them (decisions §7 «The body»). */
import fc from 'fast-check'
import { bodySchema, slotlessSchema, type ContentModel, type MarkupSchema } from '@publishing-service/domain'

const words = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 6 }).map((text) => text.replace(/[<>&\p{Cc}]/gu, '')),
      fc.constantFrom('&amp;', '&lt;', '&#160;', '&#x1F600;', 'ü', '😀', '\t', '\n', ' '),
    ),
    { maxLength: 3 },
  )
  .map((parts) => parts.join(''))

const blanks = fc.constantFrom('', ' ', '\n', '\t')
const addresses = fc.constantFrom(
  'https://example.org/?a=1&amp;b=2',
  '/path',
  'mailto:a@example.org',
  'tel:+43',
  '#x',
)

const valueOf = {
  text: words.map((text) => text.replaceAll('"', '')),
  link: addresses,
  'slot id': fc.uuid(),
} as const

const deepest = 4

const elementOf = (
  schema: MarkupSchema,
  name: string,
  ancestors: readonly string[],
): fc.Arbitrary<string> => {
  const rule = schema.elements.find((each) => each.name === name)
  if (rule === undefined) throw new Error(`no rule for ${name}`)
  const attributes = rule.attributes.map(({ name: attribute, value, required }) => {
    const text = valueOf[value].map((each) => ` ${attribute}="${each}"`)
    return required ? text : fc.oneof(text, fc.constant(''))
  })
  return fc
    .tuple(fc.tuple(...attributes), contentOf(schema, rule.content, [...ancestors, name]))
    .map(([texts, inner]) =>
      inner === '' ? `<${name}${texts.join('')}/>` : `<${name}${texts.join('')}>${inner}</${name}>`,
    )
}

const contentOf = (
  schema: MarkupSchema,
  model: ContentModel,
  ancestors: readonly string[],
): fc.Arbitrary<string> => {
  if (model.kind === 'empty') return fc.constant('')
  if (model.kind === 'mixed' && ancestors.length >= deepest) return words
  const names = model.elements.filter(
    (name) =>
      !schema.elements.some(
        (rule) => rule.name === name && rule.notWithin.some((each) => ancestors.includes(each)),
      ),
  )
  const between = model.kind === 'mixed' ? words : blanks
  const child = fc.constantFrom(...names).chain((name) => elementOf(schema, name, ancestors))
  return fc
    .array(fc.tuple(between, child, between), { maxLength: 3, size: 'small' })
    .map((parts) => parts.map((part) => part.join('')).join(''))
}

/** Bodies of content objects, with slots. */
export const bodyMarkup: fc.Arbitrary<string> = contentOf(bodySchema, bodySchema.top, [])

/** The `content` of media and other parts. */
export const markup: fc.Arbitrary<string> = contentOf(slotlessSchema, slotlessSchema.top, [])
