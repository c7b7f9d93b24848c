/**
 * What holds for every text: it is judged, never thrown at, and the place of a fault lies within it.
 */
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { E } from '../fp.js'
import { bodySchema, type ContentModel, type ElementRule } from './body-schema.js'
import { checkMarkup } from './check-markup.js'

const blanks = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\r\n'), maxLength: 3 })
const words = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 8 }).map((text) => text.replace(/[<>&]/g, '')),
      fc.constantFrom('&amp;', '&lt;', '&#160;', '&#x1F600;', '\r\n', ']]', '> '),
    ),
    { maxLength: 3 },
  )
  // The only sequence of legal pieces that isn't legal itself.
  .map((parts) => parts.join('').replaceAll(']]>', ''))
const addresses = fc.oneof(
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
  fc.constantFrom('/', '#x'),
)
const escaped = (text: string): string =>
  text.replace(/[&<"]/g, (character) => `&#${character.codePointAt(0) ?? 0};`)

const ruleOf = (name: string): ElementRule => {
  const rule = bodySchema.elements.find((each) => each.name === name)
  if (rule === undefined) throw new Error(`no rule for ${name}`)
  return rule
}

const attributesOf = (rule: ElementRule): fc.Arbitrary<string> =>
  fc
    .tuple(
      ...rule.attributes.map(({ name, value, required }) => {
        const text = { text: words, link: addresses.map(escaped), 'slot id': fc.uuid() }[value]
        const quoted = text.map((each) => ` ${name}="${each.replaceAll('"', '')}"`)
        return required ? quoted : fc.oneof(quoted, fc.constant(''))
      }),
    )
    .map((parts) => parts.join(''))

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

/** Legal content below these ancestors; at six levels what is mixed holds text alone. */
const contentOf = (model: ContentModel, ancestors: readonly string[]): fc.Arbitrary<string> => {
  if (model.kind === 'empty') return fc.constant('')
  const between = model.kind === 'mixed' ? words : blanks
  if (model.kind === 'mixed' && ancestors.length > 5) return between
  const names = model.elements.filter(
    (name) => !ruleOf(name).notWithin.some((outer) => ancestors.includes(outer)),
  )
  const child = fc.constantFrom(...names).chain((name) => element(name, ancestors))
  return fc
    .array(fc.tuple(between, child, between), { maxLength: 3, size: 'small' })
    .map((parts) => parts.map((part) => part.join('')).join(''))
    .map((text) => (model.kind === 'mixed' ? text.replaceAll(']]>', '') : text))
}

const legalBody = contentOf(bodySchema.top, [])
const anyUnits = fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)), maxLength: 60 })
const tokens = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...'<p> </p> <p/> <ul> </ul> <li> </li> <em> </em> <a href="/"> </a> <hr/> < > / " = & ; \r\n'.split(
          ' ',
        ),
      ),
      fc.constantFrom(
        ' ',
        '\t',
        ']]>',
        '<!--',
        '-->',
        '<?x',
        '&nbsp;',
        '&lt;',
        '\ud800',
        '\udc00',
        '\u0000',
        'x',
        'é',
        '😀',
      ),
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''))
const anyText = fc.oneof(fc.string({ unit: 'binary' }), anyUnits, tokens)

/** Checks what every fault promises; gives its offset, or null where the text is legal. */
const judge = (text: string, slots = true): number | null => {
  const result = checkMarkup(text, { slots })
  if (E.isRight(result)) return null
  const { line, column, offset, found, allowed, message } = result.left
  const lines = text.split(/\r\n|\r|\n/)
  expect(offset).to.be.within(0, text.length)
  expect(line).to.be.within(1, lines.length)
  const breakLength = 2
  expect(column).to.be.within(1, Array.from(lines[line - 1] ?? '').length + breakLength)
  expect(text.slice(0, offset).split(/\r\n|\r|\n/).length).to.be.within(line, line + 1)
  expect(found).not.to.equal('')
  expect(allowed).not.to.have.lengthOf(0)
  expect(message).not.to.match(/[\p{Cc}\p{Cs}]/u)
  expect(message.length).to.be.below(400)
  return offset
}

describe('the check of a body', () => {
  it('finds any text legal or gives a fault whose place lies within it', () => {
    fc.assert(
      fc.property(anyText, fc.boolean(), (text, slots) => {
        judge(text, slots)
      }),
      { numRuns: 2000 },
    )
  })

  it('accepts every body that the schema generates', () => {
    fc.assert(
      fc.property(legalBody, (text) => {
        expect(judge(text)).to.equal(null)
      }),
      { numRuns: 300 },
    )
  })

  it('gives the slots of a generated body in their order', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.uuid()), (ids) => {
        const text = ids.map((id) => `<p>x</p><slot id="${id.toUpperCase()}"/>`).join('\n')
        expect(checkMarkup(text, { slots: true })).to.deep.equal(E.right({ slots: ids }))
      }),
    )
  })

  it('bears any mutation of a legal body', () => {
    const mutation = fc.tuple(fc.nat(), fc.nat(5), anyText)
    fc.assert(
      fc.property(legalBody, fc.array(mutation, { minLength: 1, maxLength: 3 }), (body, mutations) => {
        judge(
          mutations.reduce((text, [where, length, replacement]) => {
            const at = where % (text.length + 1)
            return text.slice(0, at) + replacement + text.slice(at + length)
          }, body),
        )
      }),
      { numRuns: 1000 },
    )
  })

  it('reports what is put into a legal body at its place or before, never behind', () => {
    const wrong = fc.constantFrom('<br/>', '&nbsp;', '\u0000', '<!-- x -->', '\ud800<', '</x><x>', '<?x?>')
    fc.assert(
      fc.property(legalBody, fc.nat(), wrong, (body, where, piece) => {
        const at = where % (body.length + 1)
        const offset = judge(body.slice(0, at) + piece + body.slice(at))
        expect(offset).to.be.within(0, at)
      }),
      { numRuns: 1000 },
    )
  })

  it('finds the start of a legal body legal, or at fault where it was cut', () => {
    fc.assert(
      fc.property(legalBody, fc.nat(), (body, where) => {
        const text = body.slice(0, where % (body.length + 1))
        const offset = judge(text)
        if (offset !== null) expect(text.slice(offset)).to.match(/^(?:&[^;]*|[\ud800-\udbff])?$/)
      }),
      { numRuns: 1000 },
    )
  })
})
