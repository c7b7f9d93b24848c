/** The documentation pages in a browser: the reference shows and sends every operation, and axe finds nothing. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import type { Page } from 'playwright-core'
import { documentationPages, endpoints, groupOf } from '@publishing-service/http-contract'
import { findingsOn } from './axe-findings.js'
import { inEachLook, overflowOf, servedPages, visit } from './browser.js'

describe('the documentation pages, in a browser', function () {
  this.timeout(240_000)
  const served = servedPages()

  const expectAccessible = (page: Page): Promise<void> =>
    inEachLook(page, async (look) => {
      expect(await findingsOn(page), look).to.deep.equal([])
      expect(await overflowOf(page), look).to.equal(0)
    })

  for (const { path } of Object.values(documentationPages))
    if (path !== documentationPages.reference.path)
      it(`${path} loads completely and is accessible, on a desktop and on a telephone`, () =>
        visit(served.browser, `${served.service.url}${path}`, async ({ page, complaints, foreign }) => {
          await expectAccessible(page)
          expect(complaints).to.deep.equal([])
          expect(foreign).to.deep.equal([])
        }))

  it('the reference is accessible, shows every operation, opens one by its address, and sends it with a token', () =>
    visit(
      served.browser,
      `${served.service.url}/docs#/settings/readSettings`,
      async ({ page, complaints, foreign }) => {
        const operation = page.locator('#operations-settings-readSettings')
        await operation.locator('.responses-wrapper').waitFor()
        const ids: readonly string[] = await page.evaluate(
          "Array.from(document.querySelectorAll('.opblock'), ({ id }) => id)",
        )
        expect(ids).to.have.members(endpoints.map((each) => `operations-${groupOf(each)}-${each.id}`))
        await expectAccessible(page)
        await page.getByRole('button', { name: 'Authorize' }).click()
        expect(await findingsOn(page, '.dialog-ux')).to.deep.equal([])
        await page.locator('.auth-container input').fill(await served.service.tokenFor('reader'))
        await page
          .locator('.auth-btn-wrapper')
          .getByRole('button', { name: /authorize/i })
          .click()
        await page.locator('.btn-done').click()
        await operation.getByPlaceholder('iid').fill('1')
        await operation.getByRole('button', { name: 'Execute' }).click()
        const response = operation.locator('.live-responses-table tbody')
        await response.waitFor()
        expect(await response.innerText())
          .to.match(/^200/)
          .and.include('Europe/Vienna')
        // The button changes its colours slowly after it was pressed.
        await page.mouse.move(0, 0)
        await page.evaluate('Promise.allSettled(document.getAnimations().map(({ finished }) => finished))')
        expect(await findingsOn(page, '#operations-settings-readSettings')).to.deep.equal([])
        expect(complaints).to.deep.equal([])
        expect(foreign).to.deep.equal([])
      },
    ))
})
