/** Properties of every text: what comes out is accepted as a body, and has the words of the source. */
import { E } from '@publishing-service/domain/fp'
import { bodySchema, checkMarkup } from '@publishing-service/domain/markup'
import { legalMarkup } from '@publishing-service/domain/testing/arbitraries'
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { blocks, code } from './elements.js'
import { toBody, type BodyOptions } from './to-body.js'
import { wordsOf } from './words.test-data.js'

const names = [
  ...blocks,
  ...code,
  ...bodySchema.elements.map(({ name }) => name),
  ...'font big blink button select svg math template noscript iframe object video audio picture source label x-y o:p'.split(
    ' ',
  ),
].filter((name) => !name.includes('svg:'))

const attribute = fc.constantFrom(
  'class="a"',
  'id=b',
  'href="/c"',
  'href="javascript:d"',
  'href=" //e.example/ f"',
  'src="g.jpg"',
  'src="data:image/png;base64,aGk="',
  'src="https://www.youtube.com/embed/h"',
  'style="font-weight:bold;font-style:italic"',
  'style="font-weight:normal;text-decoration:line-through"',
  'style="mso-list:l0 level2 lfo1"',
  'style="mso-list:l1 level9 lfo1"',
  'colspan=0',
  'width="50px"',
  'start="x"',
  'open',
  'dir="RTL"',
  'lang',
  'title="i\u0000&#1;"',
  'cite="j k"',
  'role=presentation',
)
const word = fc.constantFrom(
  'one',
  'two ',
  ' three',
  '\u00a0four',
  '&amp;',
  '&lt;five',
  '&#1;six',
  '\u{1f600}',
  '\n\n',
  'sept\u00e9',
)
const name = fc.constantFrom(...names)
const tags = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: word },
      {
        weight: 3,
        arbitrary: fc
          .tuple(name, fc.array(attribute, { maxLength: 2 }))
          .map(([tag, own]) => `<${[tag, ...own].join(' ')}>`),
      },
      { weight: 2, arbitrary: name.map((tag) => `</${tag}>`) },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          '<!-- seven -->',
          '<![if x]>',
          '<![endif]>',
          '<?y?>',
          '<',
          '&',
          '</',
          '<!--',
        ),
      },
    ),
    { maxLength: 40 },
  )
  .map((pieces) => pieces.join(''))

const { tree } = fc.letrec<{ tree: string; node: string }>((tie) => ({
  tree: fc.array(tie('node'), { maxLength: 4 }).map((nodes) => nodes.join('')),
  node: fc.oneof(
    { maxDepth: 8, depthIdentifier: 'html' },
    word,
    fc
      .tuple(
        name,
        fc.array(attribute, { maxLength: 2 }),
        fc.array(tie('node'), { maxLength: 4, depthIdentifier: 'html' }),
      )
      .map(([tag, own, children]) => `<${[tag, ...own].join(' ')}>${children.join('')}</${tag}>`),
  ),
}))

const options = fc.record<BodyOptions>({
  hasTextLines: fc.boolean(),
  rename: fc.constantFrom({}, { h1: 'h2', b: 'strong' }),
  placeMedia: fc.constantFrom(
    () => 'element' as const,
    () => 'nothing' as const,
  ),
})

const judge = (html: string, given: BodyOptions): void => {
  const { markup, media } = toBody(html, given)
  const checked = checkMarkup(markup, { slots: true })
  expect(E.isLeft(checked) ? checked.left.map(({ message }) => message) : [], markup).to.deep.equal([])
  expect(wordsOf(markup), markup).to.deep.equal(wordsOf(html))
  for (const { index } of media) expect(index).to.be.within(0, markup.length)
}

describe('a body of any HTML', () => {
  for (const [title, source] of [
    ['trees of elements', tree],
    ['tags in any order', tags],
    ['any characters', fc.string({ unit: 'binary' })],
    ['bodies', legalMarkup(bodySchema)],
  ] as const)
    it(`is accepted and has all words: ${title}`, () => {
      fc.assert(fc.property(source, options, judge), { numRuns: 200 })
    })

  it('is accepted where elements are within very many others', () => {
    for (const tag of [
      'div',
      'ul><li',
      'b',
      'table><tr><td',
      'blockquote',
      'a href=x',
      'dl><dd',
      'span id=y',
      'figure',
      'svg',
      'iframe',
    ])
      judge(`<${tag}>x `.repeat(5000), {})
  }).timeout(60_000)

  it('has its own text again, unchanged', () => {
    fc.assert(
      fc.property(tree, (html) => {
        const { markup } = toBody(html)
        expect(toBody(markup).markup).to.equal(markup)
      }),
      { numRuns: 200 },
    )
  })
})
