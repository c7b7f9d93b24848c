/** The trash in the dashboard: what was deleted, restored and deleted for good. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { expectOk, expectStatus, rowsOf, uuidOf } from '../harness/expect-response.js'
import { fresh } from '../harness/on-every-store.js'
import { createPublication } from '../harness/publication.js'
import { findingsOn } from '../pages/axe-findings.js'
import { overflowOf } from '../pages/browser.js'
import { servedDashboard, waitForPage } from './served-dashboard.js'

describe('the trash in the dashboard', function () {
  this.timeout(120_000)
  const served = servedDashboard()

  it('has what was deleted, restores it, and deletes it for good', async () => {
    const home = await createPublication(served.service)
    const create = async (title: string): Promise<string> =>
      uuidOf(
        await home.editor.post('/content', { content_type: 'article', title, urlname: title.toLowerCase() }),
      )
    const [fog, haze, mist] = [await create('Fog'), await create('Haze'), await create('Mist')]
    for (const uuid of [fog, haze]) {
      served.service.clock.advance(1000)
      expectOk(await home.editor.delete(`/content/${uuid}`))
    }
    await served.open(
      `/${home.number}/content/${mist}`,
      async (page) => {
        await page.getByRole('button', { name: 'Delete', exact: true }).click()
        const question = page.getByRole('dialog')
        await question.getByText('It can be restored from the trash').waitFor()
        await question.getByRole('button', { name: 'Delete', exact: true }).click()
        await page.getByRole('link', { name: 'Trash' }).click()
        const rows = page.locator('#content tbody tr')
        await rows.filter({ hasText: 'Mist' }).waitFor()
        const names = async () => (await rows.allInnerTexts()).map((text) => text.trim().split(/\s/)[0] ?? '')
        expect(await names()).to.deep.equal(['Mist', 'Haze', 'Fog'])
        await page.mouse.move(700, 600)
        await waitForPage(page)
        expect(await findingsOn(page)).to.deep.equal([])

        await page.getByRole('button', { name: 'Restore: Fog' }).click()
        await page.getByRole('status').getByRole('link', { name: 'Fog' }).waitFor()
        await rows.filter({ hasText: 'Fog' }).waitFor({ state: 'detached' })
        expect(expectOk(await home.editor.get(`/content/${fog}`, fresh)).object).to.include({ title: 'Fog' })

        await create('Haze')
        await page.getByRole('button', { name: 'Restore: Haze' }).click()
        await page.getByRole('alert').filter({ hasText: 'urlname' }).waitFor()
        await page.getByRole('button', { name: 'Delete for good: Haze' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Delete for good' }).click()
        await rows.filter({ hasText: 'Haze' }).waitFor({ state: 'detached' })
        expect(rowsOf(await home.editor.get('/trash?fields=uuid'))).to.deep.equal([[mist]])
        expectStatus(await home.editor.get(`/content/${haze}`, fresh), 404)
        await page.setViewportSize({ width: 360, height: 800 })
        expect(await overflowOf(page)).to.equal(0)
      },
      // The name of an object that was deleted is taken.
      { key: await served.service.keyFor('admin', home.number), statuses: [400] },
    )
  })
})
