/** docs/example-website in Chromium: every kind of page, in both colour schemes, on a desktop and a telephone. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import type { Browser, Route } from 'playwright-core'
import { findingsOn } from '../pages/axe-findings.js'
import { inEachLook, openBrowser, openProfile, overflowOf, visit, waitForFrames } from '../pages/browser.js'
import { startExampleWebsite, type ExampleWebsite } from './example-website.js'

const pages = {
  front: '/',
  section: '/space/',
  article: '/space/three-photographs-of-far-away/',
  embed: '/space/spaceflight/the-third-attempt-at-sunset/',
  recipe: '/food-and-drink/affogato/',
  review: '/culture/from-the-earth-to-the-moon/',
  roundup: '/where-to-begin/',
  event: '/space/first-friday-in-the-dark/',
  calendar: '/calendar/2026-03/',
  directory: '/locations/',
  location: '/locations/bar-minuto/',
  tag: '/tags/moon/',
  author: '/tags/ada-marchetti/',
  search: '/search/?q=moon',
} as const

/** The headings that leave out a level, or a first one that is no `h1`. */
const skippedHeadings = `[...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].flatMap((heading, index, all) =>
  heading.tagName[1] > (all[index - 1]?.tagName[1] ?? 0) * 1 + 1 ? [heading.outerHTML] : [])`

type Loading = { readonly shift: number; readonly largest: string }

/** Records how far the page shifts while it is loaded, and the address of its largest image, if that is its largest part. */
const observeLoading = `
  window.loading = { shift: 0, largest: '' }
  const observe = (type, use) =>
    new PerformanceObserver((list) => list.getEntries().forEach(use)).observe({ type, buffered: true })
  observe('layout-shift', ({ value }) => { loading.shift += value })
  observe('largest-contentful-paint', ({ url }) => { loading.largest = url })`

/** The folder for screenshots. Without it, none are taken. */
const screenshots = process.env['TEST_SCREENSHOTS']

describe('the example website, in a browser', function () {
  this.timeout(240_000)
  let browser: Browser
  let website: ExampleWebsite
  before(async () => {
    browser = await openBrowser()
    website = await startExampleWebsite()
    if (screenshots !== undefined) await mkdir(screenshots, { recursive: true })
  })
  after(async () => {
    await website.stop()
  })

  for (const [name, path] of Object.entries(pages))
    it(`${name} is complete and accessible, on a desktop and on a telephone`, () =>
      visit(browser, `${website.url}${path}`, ({ page, complaints, foreign }) =>
        inEachLook(page, async (look) => {
          await page.evaluate("for (const image of document.images) image.loading = 'eager'")
          await page.evaluate('Promise.allSettled([...document.images].map((image) => image.decode()))')
          expect(
            await page.evaluate('[...document.images].every((image) => image.naturalWidth > 0)'),
          ).to.equal(true)
          expect(complaints).to.deep.equal([])
          expect(foreign).to.deep.equal([])
          expect(await overflowOf(page)).to.equal(0)
          expect(await page.evaluate(skippedHeadings), look).to.deep.equal([])
          if (screenshots !== undefined)
            await page.screenshot({ path: join(screenshots, `${name}-${look}.png`), fullPage: true })
          expect(await findingsOn(page), look).to.deep.equal([])
        }),
      ))

  for (const path of [pages.front, pages.article, pages.location, pages.directory])
    it(`loads ${path} on a telephone without shifts, and its largest picture has at most 60 KB`, async () => {
      const context = await openProfile(browser, {
        viewport: { width: 390, height: 844 },
        deviceScaleFactor: 2,
      })
      const page = await context.newPage()
      const sizes = new Map<string, number>()
      const bodies: Promise<unknown>[] = []
      page.on('response', (response) => {
        bodies.push(response.body().then(({ length }) => sizes.set(response.url(), length), String))
      })
      await page.addInitScript(observeLoading)
      await page.goto(`${website.url}${path}`)
      await waitForFrames(page)
      const { shift, largest } = await page.evaluate<Loading>('loading')
      await Promise.all(bodies)
      expect(shift).to.equal(0)
      // The largest can be a text.
      if (largest !== '') expect(sizes.get(largest)).to.be.within(1, 60 * 1024)
      expect([...sizes.keys()].filter((url) => !url.startsWith(website.url))).to.deep.equal([])
      await context.close()
    })

  it('can be read by keyboard: the first link leads to the content', () =>
    visit(browser, `${website.url}/`, async ({ page }) => {
      await page.keyboard.press('Tab')
      expect(await page.evaluate('document.activeElement.textContent')).to.equal('Skip to the content')
      await page.keyboard.press('Enter')
      await page.waitForURL('**/#main')
    }))

  it('enlarges a picture by keyboard, leads on to the others of its gallery, and back to where one was', () =>
    visit(browser, `${website.url}${pages.article}`, async ({ page, complaints }) =>
      inEachLook(page, async (look) => {
        const links = page.locator('.gallery a.large')
        const dialog = page.getByRole('dialog')
        const [first, second] = await Promise.all(
          [0, 1].map(async (index) => ({
            address: await links.nth(index).getAttribute('href'),
            alt: await links.nth(index).locator('img').getAttribute('alt'),
          })),
        )
        await links.first().focus()
        await page.keyboard.press('Enter')
        await page.getByRole('dialog', { name: /^Picture 1 of \d$/ }).waitFor()
        const picture = dialog.locator('img')
        expect(await picture.getAttribute('src')).to.equal(`${website.url}${first?.address}`)
        await page.evaluate("document.querySelector('dialog img').decode()")
        const { width, height } = (await picture.boundingBox()) ?? { width: 0, height: 0 }
        const viewport = page.viewportSize() ?? { width: 0, height: 0 }
        expect(width, look).to.be.within(viewport.width * 0.3, viewport.width)
        expect(height, look).to.be.within(100, viewport.height)
        expect(await findingsOn(page), look).to.deep.equal([])
        await page.keyboard.press('ArrowRight')
        expect(await picture.getAttribute('alt')).to.equal(second?.alt)
        await page.getByRole('button', { name: 'Previous' }).click()
        expect(await picture.getAttribute('alt')).to.equal(first?.alt)
        await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'hidden' })
        expect(
          await page.evaluate("document.activeElement === document.querySelector('.gallery a.large')"),
        ).to.equal(true)
        expect(complaints).to.deep.equal([])
      }),
    ))

  it('leads to the large picture without scripts', async () => {
    const context = await openProfile(browser, { javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(`${website.url}${pages.article}`)
    const link = page.locator('.gallery a.large').first()
    const address = `${website.url}${await link.getAttribute('href')}`
    await link.click()
    await page.waitForURL(address)
    expect((await fetch(address)).headers.get('Content-Type')).to.match(/^image\//)
    await context.close()
  })

  it('shows results as one types, of the last words only', () =>
    visit(browser, `${website.url}/search/`, async ({ page, complaints }) => {
      const input = page.getByRole('searchbox', { name: 'Words' })
      const [delayed] = await Promise.all([
        new Promise<Route>((resolve) => void page.route('**/search/?q=mo', resolve)),
        input.fill('mo'),
      ])
      await input.fill('observatory')
      await page.getByRole('link', { name: 'Old Observatory' }).waitFor()
      // The page may have cancelled it.
      await delayed.continue().catch(() => undefined)
      await (await delayed.request().response())?.finished()
      await waitForFrames(page)
      expect(await page.locator('#results mark').first().textContent()).to.equal('Observatory')
      expect(page.url()).to.match(/q=observatory$/)
      expect(complaints).to.deep.equal([])
    }))

  it('leads from the front page to an article, its tag and its section', () =>
    visit(browser, `${website.url}/`, async ({ page }) => {
      await page.getByRole('link', { name: 'Three Photographs of Far Away' }).click()
      await page.getByRole('heading', { level: 1, name: 'Three Photographs of Far Away' }).waitFor()
      await page.getByRole('link', { name: 'Rockets' }).click()
      await page.getByRole('heading', { level: 1, name: 'Rockets' }).waitFor()
      await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Space' }).click()
      await page.waitForURL('**/space/')
    }))
})
