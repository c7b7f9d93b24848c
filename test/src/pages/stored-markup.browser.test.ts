/**
 * Stored markup runs no script in a browser, however a front end inserts it. Known XSS vectors in many contexts
 * are each rejected or inert.
 */
import { expect } from 'chai'
import fc from 'fast-check'
import { after, before, describe, it } from 'mocha'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { renderBody } from '@publishing-service/client'
import { sampleFrom } from '@publishing-service/conformance'
import type { Json } from '@publishing-service/domain/json'
import { bodySchema, linkSchemes, slotlessSchema } from '@publishing-service/domain/markup'
import { legalMarkup } from '@publishing-service/domain/testing/arbitraries'
import { createMarkupChecker, type MarkupChecker } from '../harness/markup-checker.js'
import { createPublication } from '../harness/publication.js'
import { startTestService, type TestService } from '../harness/start-test-service.js'
import { openBrowser, openProfile } from './browser.js'

const folder = fileURLToPath(new URL('../../src/pages/', import.meta.url))
const families = JSON.parse(readFileSync(`${folder}xss-vectors.json`, 'utf8')) as Readonly<
  Record<string, readonly string[]>
>
const vectors = Object.values(families).flat()

const slot = '9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e11'
const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0) ?? 0};`)

/** Contexts of a vector, in a text that is valid apart from the vector. */
const contexts: readonly ((vector: string) => string)[] = [
  (vector) => vector,
  (vector) => `<p>${vector}</p>`,
  (vector) => `<div>${vector}</div>`,
  (vector) => `<p>x</p>${vector}<p>y</p>`,
  (vector) => `<p/><b/><slot/>${vector}`,
  (vector) => `<ul><li>${vector}</li></ul>`,
  (vector) => `<table>${vector}</table>`,
  (vector) => `<table><tr><td/><td>${vector}</td></tr></table>`,
  (vector) => `<details open="open"><summary>${vector}</summary></details>`,
  (vector) => `<pre>${vector}</pre>`,
  (vector) => `<a href="/">${vector}</a>`,
  (vector) => `<!-- ${vector} -->`,
  (vector) => `<!--${vector}-->`,
  (vector) => `<p title="${vector}">x</p>`,
  (vector) => `<p title='${vector}'>x</p>`,
  (vector) => `<p data-x="${escaped(vector)}" class="${escaped(vector)}" id="${escaped(vector)}">x</p>`,
  (vector) => `<p>${escaped(vector)}</p>`,
  (vector) => `<a href="${escaped(vector)}">x</a>`,
  (vector) =>
    `<a href="/x" target="${escaped(vector)}" rel="${escaped(vector)}" download="${escaped(vector)}">x</a>`,
  (vector) => `<a href="/?${escaped(vector)}">x</a>`,
  (vector) => `<img src="${escaped(vector)}" alt=""/>`,
  (vector) => `<img src="/x" srcset="${escaped(vector)}" alt="${escaped(vector)}"/>`,
  (vector) => `<img src="/x" sizes="${escaped(vector)}"/>`,
  (vector) => `<p onclick="${escaped(vector)}">x</p>`,
  (vector) => `<p style="${escaped(vector)}">x</p>`,
  (vector) => `<blockquote cite="${escaped(vector)}">x</blockquote>`,
]

/** Contexts of bodies, each with one slot. */
const bodyContexts: readonly ((vector: string) => string)[] = [
  (vector) => `<slot id="${slot}" x="${escaped(vector)}"/>`,
  (vector) => `<slot id="${slot}" onclick="${escaped(vector)}"/>`,
  (vector) => `<p><slot id="${slot}"/></p><p title="${escaped(vector)}">${vector}</p>`,
]

/** The ways to insert a text, each with the number of texts per document. */
const clients = { innerHTML: 1, 'document.write': 10, XHTML: 100 } as const
type Way = keyof typeof clients
const wayNames = Object.keys(clients) as readonly Way[]

describe('stored markup, in a browser', function () {
  this.timeout(300_000)
  let service: TestService
  let taker: MarkupChecker
  let browser: Browser
  let context: BrowserContext
  let page: Page
  /** Executed scripts, and requests except for images. */
  let events: string[] = []
  before(async () => {
    service = await startTestService()
    taker = await createMarkupChecker(await createPublication(service))
    browser = await openBrowser()
    context = await openProfile(browser)
    page = await context.newPage()
    await context.addInitScript({ path: `${folder}stored-markup.page.js` })
    await context.addInitScript(
      'window.alert = window.confirm = window.prompt = (text) => console.log(`script ran: ${text}`)',
    )
    page.on('dialog', (dialog) => {
      events.push(`script ran: ${dialog.message()}`)
      void dialog.dismiss()
    })
    page.on('console', (message) => {
      if (message.text().startsWith('script ran')) events.push(message.text())
    })
    await context.route('**/*', (route, request) => {
      const type = request.resourceType()
      const ownPage = request.url() === 'https://page.test/'
      if (!ownPage && type !== 'image') events.push(`${type}: ${request.url()}`)
      if (ownPage) return route.fulfill({ contentType: 'text/html', body: '<!doctype html><body></body>' })
      return type === 'script'
        ? route.fulfill({ contentType: 'text/javascript', body: 'alert("from elsewhere")' })
        : route.fulfill({ status: 404 })
    })
    await page.goto('https://page.test/')
  })
  after(async () => {
    await context.close()
    await service.stop()
  })

  const names = bodySchema.elements.map(({ name }) => name)
  const schemes = linkSchemes.map((scheme) => `${scheme}:`)
  /** Calls a function of stored-markup.page.js. */
  const inPage = (name: string, ...given: readonly Json[]): Promise<readonly string[]> =>
    page.evaluate(`${name}(...${JSON.stringify(given)})`)
  const shownAs = async (how: Way, texts: readonly string[]): Promise<readonly string[]> => {
    const wrong: string[] = []
    events = []
    const documents = Array.from({ length: Math.ceil(texts.length / clients[how]) }, (_, index) =>
      texts.slice(index * clients[how], (index + 1) * clients[how]).join('\n'),
    )
    for (let from = 0; from < documents.length; from += 200) {
      const some = documents.slice(from, from + 200)
      wrong.push(...(await inPage('show', how, some, names, schemes)))
    }
    return [...wrong, ...events]
  }

  /** The vectors unchanged and as XML, so that only the schema can reject them. */
  const variants = async (): Promise<readonly string[]> => [
    ...new Set([...vectors, ...(await inPage('asXml', vectors))]),
  ]

  it('unchecked vectors run scripts (checks the test itself)', async () => {
    expect(vectors).to.have.length.above(150)
    const numbered = vectors.map((vector, index) => vector.replaceAll('alert(1)', `alert(${index})`))
    const inHtml = await shownAs('innerHTML', numbered)
    await page.goto('https://page.test/')
    const written = await shownAs(
      'document.write',
      numbered.filter((vector) => !/refresh/.test(vector)),
    )
    await page.goto('https://page.test/')
    for (const found of [inHtml, written]) {
      expect(new Set(found.filter((each) => each.startsWith('script ran'))))
        .to.have.property('size')
        .above(50)
      expect(found.filter((each) => each.startsWith('on'))).to.have.length.above(30)
      expect(found.filter((each) => each.startsWith('href="javascript:'))).not.to.have.lengthOf(0)
    }
  })

  it('known vectors are rejected or inert in every context', async () => {
    const all = await variants()
    const media = await taker.accepted([
      ...new Set(all.flatMap((vector) => contexts.map((wrap) => wrap(vector)))),
    ])
    const bodies: string[] = []
    for (const text of new Set(vectors.flatMap((vector) => bodyContexts.map((wrap) => wrap(vector)))))
      if (await taker.acceptedBody(text)) bodies.push(text)
    // A failure names the text, so that a sample needs no seed to be repeated.
    const stored = sampleFrom([...media, ...bodies], 600)
    // Vectors in comments, text and values are valid. The browser has to show that they are inert.
    expect(media).to.have.length.above(1000)
    expect(bodies).to.have.length.above(50)
    for (const how of wayNames) expect(await shownAs(how, stored), how).to.deep.equal([])
  })

  it('markup that the schema allows is inert', async () => {
    const texts = fc.sample(legalMarkup(bodySchema), { numRuns: 200, seed: 7 })
    for (const how of wayNames) expect(await shownAs(how, texts), how).to.deep.equal([])
  })

  it('the client renders unchecked vectors as inert HTML, and legal markup as it is', async () => {
    const all = [...contexts, ...bodyContexts].flatMap((wrap) => vectors.map((vector) => wrap(vector)))
    const rendered = sampleFrom(all, 600).map((text) => renderBody(text, {}))
    for (const how of ['innerHTML', 'document.write'] as const)
      expect(await shownAs(how, rendered), how).to.deep.equal([])
    const texts = fc.sample(legalMarkup(slotlessSchema), { numRuns: 200, seed: 7 })
    const pairs = texts.map((text) => [text, renderBody(text, {})])
    expect(await inPage('unequal', pairs)).to.deep.equal([])
  })
})
