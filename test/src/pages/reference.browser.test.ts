/** The operations of the reference in a browser: their errors, their position in the list, and “Execute”. */
import { describe, it } from 'mocha'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { endpoints, groupOf, type Endpoint } from '@publishing-service/http-contract'
import { servedPages, visit } from './browser.js'
import { signIn } from './key-form.js'

const operationOn = (page: Page, endpoint: Endpoint) =>
  page.locator(`[id="operations-${groupOf(endpoint)}-${endpoint.id}"]`)

const endpointOf = (id: string): Endpoint => {
  const endpoint = endpoints.find((each) => each.id === id)
  if (endpoint === undefined) throw new Error(`no operation ${id}`)
  return endpoint
}

/** The name or text of the focused element. */
const focusedOn = (page: Page): Promise<string> =>
  page.evaluate('document.activeElement.name || document.activeElement.textContent')

const currentOf = (page: Page) => page.locator('aside [aria-current="location"]')

describe('the operations of the reference, in a browser', function () {
  this.timeout(240_000)
  const served = servedPages()

  it('show successful responses, and errors after they are expanded', () =>
    visit(served.browser, `${served.service.url}/docs#/content/replaceContent`, async ({ page }) => {
      const operation = operationOn(page, endpointOf('replaceContent'))
      await operation.locator('.responses-wrapper').waitFor()
      expect(await operation.locator('.responses-table .response-col_status').allInnerTexts()).to.deep.equal([
        'Code',
        '200',
      ])
      const explained = operation.getByRole('link', { name: 'precondition_failed' })
      expect(await explained.isVisible()).to.equal(false)
      await operation.locator('.errors summary').click()
      expect(await explained.getAttribute('href')).to.match(/\/docs\/errors#precondition_failed$/)
      expect(await explained.isVisible()).to.equal(true)
    }))

  it('open the key form if a token is missing, and return', () =>
    visit(
      served.browser,
      `${served.service.url}/docs#/sections/listSections`,
      async ({ page, complaints }) => {
        const calls: string[] = []
        page.on('request', (request) => calls.push(new URL(request.url()).pathname))
        const operation = operationOn(page, endpointOf('listSections'))
        const execute = operation.getByRole('button', { name: 'Execute' })
        await execute.click()
        await page.getByText('This request needs a token: enter your key to get one.').waitFor()
        expect(await focusedOn(page)).to.equal('api_key')
        expect(calls).not.to.include('/1/sections')
        await signIn(page, served.service)
        expect(await focusedOn(page)).to.equal('Execute')
        await execute.click()
        await operation.locator('.live-responses-table tbody').waitFor()
        expect(complaints).to.deep.equal([])
      },
    ))

  it('send requests without a token where none is required', () =>
    visit(served.browser, `${served.service.url}/docs#/service/readLiveness`, async ({ page }) => {
      const operation = operationOn(page, endpointOf('readLiveness'))
      await operation.getByRole('button', { name: 'Execute' }).click()
      const response = operation.locator('.live-responses-table tbody')
      await response.waitFor()
      expect(await response.innerText()).to.match(/^200/)
    }))

  it('leave the exchange of a key to the key form', () =>
    visit(served.browser, `${served.service.url}/docs#/service/exchangeToken`, async ({ page }) => {
      const operation = operationOn(page, endpointOf('exchangeToken'))
      await operation.getByRole('button', { name: 'Execute' }).click()
      await page.getByText('This request needs a token: enter your key to get one.').waitFor()
    }))

  it('are all in the list of the page, which follows the scroll position', () =>
    visit(served.browser, `${served.service.url}/docs`, async ({ page }) => {
      await page.locator('.opblock').first().waitFor()
      expect(await page.locator('aside li li a').allInnerTexts()).to.have.members(
        endpoints.map(({ summary }) => summary),
      )
      const target = endpointOf('replaceFeaturedStories')
      await page.evaluate(
        `document.getElementById('operations-${groupOf(target)}-${target.id}').scrollIntoView()`,
      )
      await currentOf(page)
        .and(page.getByText(target.summary, { exact: true }))
        .waitFor()
      const isShown = await page.evaluate(
        `(() => {
          const [at, of] = ['aside [aria-current]', 'aside'].map((selector) =>
            document.querySelector(selector).getBoundingClientRect())
          return at.top >= of.top && at.bottom <= of.bottom
        })()`,
      )
      expect(isShown).to.equal(true)
      await page.evaluate('window.scrollTo(0, 0)')
      await currentOf(page).waitFor({ state: 'detached' })
    }))

  it('return 200 for the prefilled examples', () =>
    visit(served.browser, `${served.service.url}/docs`, async ({ page, complaints }) => {
      await signIn(page, served.service)
      for (const id of ['listContent', 'readSlot', 'readDefaultThumbnail', 'replaceTag']) {
        const endpoint = endpointOf(id)
        await page.evaluate(`location.hash = '#/${groupOf(endpoint)}/${id}'`)
        const operation = operationOn(page, endpoint)
        await operation.getByRole('button', { name: 'Execute' }).click()
        const response = operation.locator('.live-responses-table tbody')
        await response.waitFor()
        expect(await response.innerText(), id).to.match(/^200/)
      }
      expect(complaints).to.deep.equal([])
    }))
})
