/** Properties of every text in Lexical and Mobiledoc: what comes out is accepted as a body, and has the words of the source. */
import { E } from '@publishing-service/domain/fp'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import { checkMarkup } from '@publishing-service/domain/markup'
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { plainText } from '../plain-text.js'
import { lexicalOf, mobiledocOf, postOf } from './post-export.test-data.js'

const cardNames = [
  'image',
  'gallery',
  'before-after',
  'bookmark',
  'embed',
  'html',
  'markdown',
  'codeblock',
  'callout',
  'toggle',
  'button',
  'product',
  'header',
  'audio',
  'video',
  'file',
  'signup',
  'call-to-action',
  'email',
  'paywall',
  'hr',
  'unknown',
] as const

const fieldNames = [
  'src',
  'alt',
  'caption',
  'href',
  'images',
  'url',
  'metadata',
  'title',
  'html',
  'markdown',
  'code',
  'calloutText',
  'heading',
  'content',
  'buttonText',
  'buttonUrl',
  'header',
  'fileTitle',
  'visibility',
  'width',
  'textValue',
  'type',
  'children',
  'text',
] as const

const hostile = fc.constantFrom(
  '<script>',
  '</p></div>',
  '<!--',
  '<slot id="x"/>',
  '<svg><title>',
  '&#0;',
  '"><img src=x>',
  '\u0000',
  '\ud800',
  '[a](b',
  '~x~^y^',
  'javascript:x()',
  'data:image/png;base64,aGk=',
  '__GHOST_URL__/content/images/a.jpg',
  '//',
)

const value: fc.Arbitrary<Json> = fc.oneof(
  hostile,
  fc.string(),
  fc.constantFrom(null, true, -1, 1e308, {}, []),
  fc.array(fc.dictionary(fc.constantFrom(...fieldNames), hostile), { maxLength: 3 }),
)

const anyCard = fc.dictionary(fc.constantFrom(...fieldNames), value)

const word = fc.stringMatching(/^[a-zü<&"']{1,8}$/)

const { node } = fc.letrec<{ node: JsonObject; children: readonly JsonObject[] }>((tie) => ({
  children: fc.array(tie('node'), { maxLength: 4 }),
  node: fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ type: fc.constant('extended-text'), text: word, format: fc.nat(255) }),
    },
    { weight: 1, arbitrary: fc.constant({ type: 'linebreak' }) },
    {
      weight: 3,
      arbitrary: fc.record({
        type: fc.constantFrom(
          'paragraph',
          'heading',
          'quote',
          'aside',
          'list',
          'listitem',
          'link',
          'new-kind',
        ),
        tag: fc.constantFrom('h1', 'h6', 'ol', 'x'),
        url: fc.constantFrom('https://example.com/a?b="c"', 'javascript:x()', '#a', ''),
        children: tie('children'),
      }),
    },
  ),
}))

const textsOf = (found: JsonObject): readonly string[] => [
  ...(typeof found['text'] === 'string' ? [found['text']] : []),
  ...(Array.isArray(found['children']) ? found['children'].flatMap((each: JsonObject) => textsOf(each)) : []),
]

/** The characters of a text that are not white space. */
const characters = (text: string): string => text.replaceAll(/\s+/g, '')

const bodyFrom = async (post: JsonObject): Promise<string> => {
  const { object } = await postOf(post)
  const body = String(object?.attributes['content'] ?? '')
  const checked = checkMarkup(body, { slots: true })
  if (E.isLeft(checked)) throw new Error(`${JSON.stringify(checked.left)} in ${body}`)
  return body
}

describe('the body of any post of Ghost', () => {
  it('has the text of Lexical', () =>
    fc.assert(
      fc.asyncProperty(fc.array(node, { maxLength: 5 }), async (children) => {
        const body = await bodyFrom({ lexical: lexicalOf(children) })
        expect(characters(plainText(body))).to.equal(characters(children.flatMap(textsOf).join('')))
      }),
    ))

  it('has the text of Mobiledoc', () => {
    const marker = fc.tuple(
      fc.constant(0),
      fc.array(fc.nat(4), { maxLength: 3 }),
      fc.integer({ min: -1, max: 4 }),
      word,
    )
    const section = fc.tuple(
      fc.constant(1),
      fc.constantFrom('p', 'h2', 'blockquote', 'script'),
      fc.array(marker),
    )
    return fc.assert(
      fc.asyncProperty(fc.array(section, { maxLength: 5 }), async (sections) => {
        const markups = [
          ['strong'],
          ['em'],
          ['a', ['href', 'https://example.com/']],
          ['script', ['src', 'x']],
        ]
        const body = await bodyFrom({ mobiledoc: mobiledocOf({ markups, sections }) })
        const texts = sections.flatMap(([, , markers]) => markers.map(([, , , text]) => text))
        expect(characters(plainText(body))).to.equal(characters(texts.join('')))
      }),
    )
  })

  it('is accepted, whatever cards contain', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(...cardNames), anyCard), { maxLength: 5 }),
        async (cards) => {
          await bodyFrom({ lexical: lexicalOf(cards.map(([type, fields]) => ({ ...fields, type }))) })
          await bodyFrom({
            mobiledoc: mobiledocOf({ cards, sections: cards.map((_card, index) => [10, index]) }),
          })
        },
      ),
    ))

  it('is made of any JSON', () =>
    fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.jsonValue(), async (lexical, mobiledoc) => {
        const root = JSON.stringify({ root: { children: [lexical, mobiledoc, [lexical]] } })
        await bodyFrom({
          lexical: root,
          mobiledoc: JSON.stringify({
            version: '0.3',
            sections: [mobiledoc, [1, lexical], [10, 0]],
            cards: [mobiledoc],
          }),
        })
        await bodyFrom({
          mobiledoc: JSON.stringify({
            version: '0.3.2',
            sections: [
              [1, 'p', [[0, lexical, mobiledoc, 'a']]],
              [3, 'ol', lexical],
            ],
            atoms: lexical,
          }),
        })
      }),
    ))

  it('has the text of deep nesting, and long texts', async () => {
    const deep = 20_000
    const within = `${'{"type":"quote","children":['.repeat(deep)}{"type":"text","text":"deep"}${']}'.repeat(deep)}`
    const nested = `{"root":{"children":[${within}]}}`
    expect(plainText(await bodyFrom({ lexical: nested }))).to.equal('deep')
    const long = 'word <b '.repeat(100_000)
    const body = await bodyFrom({
      lexical: lexicalOf([{ type: 'paragraph', children: [{ type: 'text', text: long }] }]),
    })
    expect(characters(plainText(body))).to.equal(characters(long))
    const repeated = mobiledocOf({
      cards: [['html', { html: long }]],
      sections: Array.from({ length: 10_000 }, () => [10, 0]),
    })
    expect(await bodyFrom({ mobiledoc: repeated, html: '<p>A</p>' })).to.equal('<p>A</p>')
  })
})
