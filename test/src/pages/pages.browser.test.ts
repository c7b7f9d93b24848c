/** The documentation pages in a browser. */
import { describe, it } from 'mocha'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { documentationPages, problemTable } from '@publishing-service/http-contract'
import { looks, overflowOf, servedPages, visit } from './browser.js'
import { signIn } from './key-form.js'

const paths = Object.values(documentationPages).map(({ path }) => path)

/** The brightness of the page’s background, 0 to 255. */
const backgroundOf = (page: Page): Promise<number> =>
  page.evaluate('Number(/\\d+/.exec(getComputedStyle(document.body).backgroundColor)[0])')

const waitUntilRendered = (page: Page) => page.waitForSelector('#operations-settings-readSettings')

describe('the documentation pages, in a browser', function () {
  this.timeout(120_000)
  const served = servedPages()

  for (const path of paths)
    for (const { size, colorScheme } of looks)
      it(`${path} loads completely, on a ${size}, ${colorScheme}`, () =>
        visit(
          served.browser,
          `${served.service.url}${path}`,
          async ({ page, complaints, foreign }) => {
            if (path === '/docs') await waitUntilRendered(page)
            expect(complaints).to.deep.equal([])
            expect(foreign).to.deep.equal([])
            expect(await overflowOf(page)).to.equal(0)
            const paper = await backgroundOf(page)
            if (colorScheme === 'dark') expect(paper).to.be.lessThan(60)
            else expect(paper).to.be.greaterThan(200)
          },
          { size, colorScheme },
        ))

  it('are complete without scripts', () =>
    visit(
      served.browser,
      `${served.service.url}/docs`,
      async ({ page }) => {
        expect(await page.locator('#search').isVisible()).to.equal(false)
        expect(await page.locator('#sign-in').isVisible()).to.equal(false)
        await page.locator('#operations a[href="#/locations/readLocation"]').waitFor()
        await page.getByText('JavaScript').click()
        expect(await page.locator('#sample-token pre[data-language="javascript"]').isVisible()).to.equal(true)
        const pages = page.getByRole('navigation', { name: 'Pages' })
        await pages.getByRole('link', { name: 'Errors', exact: true }).click()
        await page.waitForURL('**/docs/errors')
      },
      { javaScriptEnabled: false },
    ))

  it('every error has an anchor', () =>
    visit(served.browser, `${served.service.url}/docs/errors`, async ({ page }) => {
      for (const { error } of Object.values(problemTable)) {
        await page.goto(`${served.service.url}/docs/errors#${error}`)
        expect(await page.locator(':target h2').innerText()).to.include(error)
      }
    }))

  it('the search finds coupon_expires by keyboard, from any page, and opens it', () =>
    visit(served.browser, `${served.service.url}/docs/markup`, async ({ page, complaints }) => {
      await page.keyboard.press('/')
      await page.keyboard.type('coupon_expires')
      const first = page.getByRole('option').first()
      await first.waitFor()
      expect(await first.innerText()).to.match(/^coupon_expires\s+Location$/)
      expect(await first.getAttribute('aria-selected')).to.equal('true')
      await page.keyboard.press('Enter')
      await page.waitForURL('**/docs/objects#Location.coupon_expires')
      expect(await page.locator(':target dd').innerText()).to.match(/coupon/)
      expect(complaints).to.deep.equal([])
    }))

  it('the search opens operations, and reports when nothing is found', () =>
    visit(served.browser, `${served.service.url}/docs`, async ({ page, complaints }) => {
      await waitUntilRendered(page)
      const search = page.getByRole('combobox', { name: 'Search the documentation' })
      await search.fill('no such thing anywhere')
      await page.getByText('No results for «no such thing anywhere».').waitFor()
      await search.fill('coupon_expires')
      await page.getByRole('option').filter({ hasText: 'PUT /{iid}/locations/{uuid}' }).click()
      await page.locator('#operations-locations-replaceLocation .opblock-body').waitFor()
      await page.keyboard.press('Escape')
      expect(await page.locator('#results').isVisible()).to.equal(false)
      expect(complaints).to.deep.equal([])
    }))

  it('a request with a user’s key returns 200', () =>
    visit(
      served.browser,
      `${served.service.url}/docs#/settings/readSettings`,
      async ({ page, complaints, foreign }) => {
        await signIn(page, served.service)
        const operation = page.locator('#operations-settings-readSettings')
        await operation.getByPlaceholder('iid').fill('1')
        await operation.getByRole('button', { name: 'Execute' }).click()
        const response = operation.locator('.live-responses-table tbody')
        await response.waitFor()
        expect(await response.innerText())
          .to.match(/^200/)
          .and.include('Europe/Vienna')
        expect(complaints).to.deep.equal([])
        expect(foreign).to.deep.equal([])
      },
    ))

  it('a wrong key is reported', () =>
    visit(served.browser, `${served.service.url}/docs`, async ({ page }) => {
      await page.getByLabel('API key').fill('nobody')
      await page.getByLabel('API secret').fill('nothing')
      await page.getByRole('button', { name: 'Get a token' }).click()
      await page.getByText('The API key is unknown or the secret is wrong.').waitFor()
    }))

  it('an operation’s command contains the values of its fields, in both languages, and can be copied', () =>
    visit(
      served.browser,
      `${served.service.url}/docs#/locations/readLocation`,
      async ({ page, complaints }) => {
        const operation = page.locator('#operations-locations-readLocation')
        await operation.locator('.sample').waitFor()
        await operation.getByPlaceholder('iid').fill('7')
        await operation.getByPlaceholder('uuid').fill('00000000-0000-4000-8000-000000000001')
        const address = `${served.service.url}/7/locations/00000000-0000-4000-8000-000000000001`
        await operation.getByText(address).first().waitFor()
        await operation.getByRole('button', { name: 'Copy' }).click()
        expect(await page.evaluate('navigator.clipboard.readText()')).to.equal(
          `curl -sS '${address}' \\\n  -H "Authorization: Bearer $TOKEN"`,
        )
        await operation.getByText('JavaScript', { exact: true }).click()
        expect(await operation.locator('pre[data-language="javascript"]').innerText()).to.include(
          `await fetch('${address}', {`,
        )
        expect(complaints).to.deep.equal([])
      },
    ))
})
