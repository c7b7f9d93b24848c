/**
 * The whole vocabulary of HTML as markup: every element in every element, every attribute on every element. A request
 * with it is accepted or rejected with the place of each fault, and never fails.
 */
import { expect } from 'chai'
import { htmlElementAttributes } from 'html-element-attributes'
import { htmlEventAttributes } from 'html-event-attributes'
import { htmlTagNames } from 'html-tag-names'
import { after, before, describe, it } from 'mocha'
import { bodySchema, dangerousElements } from '@publishing-service/domain'
import { createMarkupChecker, type MarkupChecker } from '../harness/markup-checker.js'
import { createPublication } from '../harness/publication.js'
import { startTestService, type TestService } from '../harness/start-test-service.js'

const slot = '9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e11'
const handlers = [...new Set([...htmlEventAttributes, 'onclick', 'onfocusin', 'onbegin', 'onend', 'onx'])]
const attributes = [
  ...new Set([
    ...Object.values(htmlElementAttributes).flat(),
    ...handlers,
    'style',
    'xmlns',
    'xlink:href',
    'data-x',
  ]),
]
const known = new Set(bodySchema.elements.map(({ name }) => name))
const elements = [...new Set([...htmlTagNames, 'slot', 'svg:a', 'x-y', 'SCRIPT'])]
const values = ['javascript:alert(1)', '1']

describe('the vocabulary of HTML as markup', function () {
  this.timeout(300_000)
  let service: TestService
  let taker: MarkupChecker
  before(async () => {
    service = await startTestService({ STORE: 'memory', BLOBS: 'memory' })
    taker = await createMarkupChecker(await createPublication(service))
  })
  after(async () => {
    const errors = service.errorsLogged()
    await service.stop()
    expect(errors).to.deep.equal([])
  })

  const saysWhere = (message: string): void => {
    expect(message).to.match(/^line 1, column [0-9]+: found .+, allowed here: .+/)
  }

  // docs/behaviour/body.md#vocabulary
  it('every element in every element', async () => {
    const pieces = elements.flatMap((outer) =>
      elements.map((inner) => {
        const inside =
          inner === 'a' ? '<a href="/"/>' : inner === 'img' ? '<img src="/"/>' : `<${inner}></${inner}>`
        return outer === 'a' ? `<a href="/">${inside}</a>` : `<${outer}>${inside}</${outer}>`
      }),
    )
    const legal = await taker.accepted(pieces, saysWhere)
    expect(legal)
      .to.include('<div><p></p></div>')
      .and.include('<p><b></b></p>')
      .and.include('<a href="/"><b></b></a>')
    for (const piece of legal)
      for (const [, name = ''] of piece.matchAll(/<([^\s/>]+)/g)) {
        expect(known).to.include(name)
        expect(dangerousElements).not.to.have.own.property(name)
      }
  })

  // docs/behaviour/body.md#vocabulary
  it('every attribute on every element', async () => {
    const pieces = elements.flatMap((element) =>
      attributes.flatMap((attribute) =>
        (known.has(element) ? values : ['x']).map((value) => {
          const required = element === 'a' ? ' href="/"' : element === 'img' ? ' src="/"' : ''
          const others = required.startsWith(` ${attribute}=`) ? '' : required
          return `<${element}${others} ${attribute}="${value}"/>`
        }),
      ),
    )
    const legal = await taker.accepted(pieces, saysWhere)
    expect(legal)
      .to.include('<p data-x="1"/>')
      .and.include('<a href="1"/>')
      .and.include('<a href="/" rel="1"/>')
    for (const piece of legal) {
      expect(piece).not.to.match(
        /\s(?:on\w+|style|xmlns|xlink:href|action|formaction|srcdoc|background|name)=/,
      )
      expect(piece).not.to.match(/\s(?:href|src|cite|srcset)="javascript:/)
    }
  })

  it('every attribute on a slot, and a slot in every element', async () => {
    const tag = `<slot id="${slot}"/>`
    const pieces = [
      ...attributes.flatMap((attribute) =>
        values.map((value) => `<slot id="${slot}" ${attribute}="${value}"/>`),
      ),
      ...elements.map((element) => `<${element}>${tag}</${element}>`),
    ]
    const legal: string[] = []
    for (const piece of pieces) if (await taker.acceptedBody(piece, saysWhere)) legal.push(piece)
    expect(legal)
      .to.include(`<slot id="${slot}" name="1"/>`)
      .and.include(`<p>${tag}</p>`)
      .and.include(`<div>${tag}</div>`)
    for (const piece of legal)
      expect(piece.replace(/ (?:class|lang|title|data-x)="[^"]*"/, '')).not.to.match(
        /\s(?:on\w+|style|xmlns|srcdoc)=|:href=|="javascript:/,
      )
  })
})
