/**
 * Properties of every text: the check returns, and the place of a fault is inside the text.
 */
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { E } from '../fp.js'
import { legalMarkup } from '../testing/arbitraries.js'
import { anyCharacter } from '../testing/legal-markup.js'
import { bodySchema, schemaOf, slotlessSchema, type ElementRule } from './body-schema.js'
import { mostMarkupFaults } from './markup-fault.js'
import { checkMarkup } from '../value/markup.js'

const legalBody = legalMarkup(bodySchema)

/** The schema of release 0.1.0: what it accepted is stored, so it stays legal. */
const firstSchema = (() => {
  const inline = 'u strong em sub sup cite mark s small q wbr a'.split(' ')
  const blocks = 'p h4 hr pre blockquote ul ol'.split(' ')
  const attributes: Readonly<Record<string, ElementRule['attributes']>> = {
    a: [
      { name: 'href', required: true, value: { kind: 'link' }, description: '' },
      { name: 'title', required: false, value: { kind: 'text' }, description: '' },
    ],
    slot: [{ name: 'id', required: true, value: { kind: 'slot id' }, description: '' }],
  }
  const empty = { kind: 'empty', elements: [], alone: [] } as const
  const only = (...children: readonly string[]) =>
    ({ kind: 'elements', elements: children, alone: [] }) as const
  const contents: Readonly<Record<string, ElementRule['content']>> = {
    hr: empty,
    wbr: empty,
    slot: empty,
    ul: only('li'),
    ol: only('li'),
    blockquote: only('p', 'pre', 'ul', 'ol'),
  }
  return schemaOf(
    only(...blocks, 'slot'),
    [...blocks, 'li', 'slot', ...inline].map((name) => ({
      name,
      category: 'part' as const,
      content: contents[name] ?? { kind: 'mixed', elements: inline, alone: [] },
      attributes: attributes[name] ?? [],
      notWithin: name === 'a' ? ['a'] : [],
      description: '',
    })),
  )
})()

const withoutComments = legalBody.map((text) => text.replaceAll(/<!--[^]*?-->/g, ''))
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
        '<!-- x -->',
        '--!>',
        '<slot ',
        'id="',
        'data-x=""',
        '<img src="',
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
const anyText = fc.oneof(fc.string({ unit: anyCharacter }), anyUnits, tokens)

/** Checks the properties of faults; returns the offset of the first one, or null if the text is valid. */
const judge = (text: string, slots = true): number | null => {
  const result = checkMarkup(text, { slots })
  if (E.isRight(result)) return null
  const lines = text.split(/\r\n|\r|\n/)
  const breakLength = 2
  for (const { line, column, offset, found, allowed, message } of result.left) {
    expect(offset).to.be.within(0, text.length)
    expect(line).to.be.within(1, lines.length)
    expect(column).to.be.within(1, Array.from(lines[line - 1] ?? '').length + breakLength)
    expect(text.slice(0, offset).split(/\r\n|\r|\n/).length).to.be.within(line, line + 1)
    expect(found).not.to.equal('')
    expect(allowed).not.to.have.lengthOf(0)
    expect(message).not.to.match(/[\p{Cc}\p{Cs}]/u)
    expect(message.length).to.be.below(700)
  }
  const offsets = result.left.map(({ offset }) => offset)
  expect(offsets).to.deep.equal([...new Set(offsets)].toSorted((one, other) => one - other))
  expect(offsets.length).to.be.within(1, mostMarkupFaults + 1)
  return offsets[0] ?? null
}

describe('the check of a body', () => {
  it('accepts any text, or returns a fault with a position within it', () => {
    fc.assert(
      fc.property(anyText, fc.boolean(), (text, slots) => {
        judge(text, slots)
      }),
      { numRuns: 100 },
    )
  })

  it('accepts every body that the schema generates', () => {
    fc.assert(
      fc.property(legalBody, (text) => {
        expect(judge(text)).to.equal(null)
      }),
      { numRuns: 100 },
    )
  })

  it('accepts every text that the schema without slots generates, with and without slots', () => {
    fc.assert(
      fc.property(legalMarkup(slotlessSchema), fc.boolean(), (text, slots) => {
        expect(judge(text, slots)).to.equal(null)
      }),
      { numRuns: 100 },
    )
  })

  it('accepts every body that the first release accepted', () => {
    fc.assert(
      fc.property(legalMarkup(firstSchema), (text) => {
        expect(judge(text)).to.equal(null)
      }),
      { numRuns: 100 },
    )
  })

  it('returns the slots of a generated body in their order', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.uuid()), (ids) => {
        const text = ids.map((id) => `<p>x</p><slot id="${id.toUpperCase()}"/>`).join('\n')
        expect(checkMarkup(text, { slots: true })).to.deep.equal(E.right({ slots: ids }))
      }),
    )
  })

  it('does not throw for any mutation of a valid body', () => {
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
      { numRuns: 100 },
    )
  })

  it('reports an insertion into a valid body at its position or before', () => {
    const wrong = fc.constantFrom('<main/>', '&nbsp;', '\u0000', '<!-->', '\ud800<', '</x><x>', '<?x?>')
    fc.assert(
      fc.property(withoutComments, fc.nat(), wrong, (body, where, piece) => {
        const at = where % (body.length + 1)
        const offset = judge(body.slice(0, at) + piece + body.slice(at))
        expect(offset).to.be.within(0, at)
      }),
      { numRuns: 100 },
    )
  })

  it('accepts a prefix of a valid body, or reports its end', () => {
    fc.assert(
      fc.property(legalBody, fc.nat(), (body, where) => {
        const text = body.slice(0, where % (body.length + 1))
        const offset = judge(text)
        if (offset !== null)
          expect(text.slice(offset)).to.match(/^(?:&[^;]*|[\ud800-\udbff]|<!(?:(?!-->)[^])*)?$/)
      }),
      { numRuns: 100 },
    )
  })
})
