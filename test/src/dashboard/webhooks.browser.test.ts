/** Web hooks in the dashboard: created with a secret, tested, switched off and on, and what was delivered. */
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { expectOk, uuidOf } from '../harness/expect-response.js'
import { fresh } from '../harness/on-every-store.js'
import { createPublication } from '../harness/publication.js'
import { startReceiver, type Receiver } from '../harness/webhook-receiver.js'
import { findingsOn } from '../pages/axe-findings.js'
import { overflowOf } from '../pages/browser.js'
import { servedDashboard, waitForPage } from './served-dashboard.js'

describe('web hooks in the dashboard', function () {
  this.timeout(120_000)
  const served = servedDashboard({ WEBHOOKS_ALLOW_PRIVATE: 'true' })
  let receiver: Receiver
  before(async () => {
    receiver = await startReceiver()
  })
  after(() => receiver.close())

  it('are created, tested, switched off and deleted, and show what was delivered', async () => {
    const home = await createPublication(served.service)
    await served.open(
      `/${home.number}/webhooks`,
      async (page) => {
        const dialog = page.getByRole('dialog')
        await page.getByText('There is no web hook.').waitFor()
        await page.getByRole('button', { name: 'Create' }).click()
        await dialog.getByLabel('Address').fill('ftp://receiver.example.org')
        await dialog.getByRole('button', { name: 'Create', exact: true }).click()
        await dialog.getByText('must be a web address').first().waitFor()
        await dialog.getByLabel('Address').fill(receiver.url)
        await dialog.getByLabel('What it is for').fill('The website')
        await dialog.getByRole('combobox', { name: 'Events' }).click()
        await page.getByRole('option', { name: 'Content: changed' }).click()
        await page.getByRole('option', { name: 'Content: published' }).click()
        await page.keyboard.press('Escape')
        await dialog.getByRole('button', { name: 'Create', exact: true }).click()
        const secret = await dialog.locator('code').innerText()
        expect(secret).to.match(/^whsec_/)
        expect(await findingsOn(page)).to.deep.equal([])
        await dialog.getByRole('button', { name: 'Done' }).click()

        await page.getByRole('cell', { name: 'Content: changed, Content: published' }).waitFor()
        await page.getByRole('link', { name: receiver.url }).click()
        await page.getByRole('button', { name: 'Send a test' }).click()
        await page.getByRole('status').getByText('The receiver answered 204.').waitFor()
        receiver.status = 500
        await page.getByRole('button', { name: 'Send a test' }).click()
        await page.getByRole('status').getByText('The receiver answered with an error. (500)').waitFor()
        expect(receiver.received.map(({ body: { type } }) => type)).to.deep.equal(['test', 'test'])

        receiver.status = 204
        const article = { content_type: 'article', title: 'Fog', urlname: 'fog', state: 'published' }
        const story = uuidOf(await home.editor.post('/content', article))
        await receiver.until(3)
        // The page refreshes itself.
        const rows = page.locator('#content tbody tr')
        const row = rows.filter({ hasText: '/fog/' })
        await row.getByText('Delivered').waitFor()
        await row.getByRole('button', { name: 'Deliver again' }).click()
        await receiver.until(4)
        expect(receiver.received.at(-1)?.body).to.deep.include({ type: 'content.published' })
        expect(receiver.received.at(-1)?.body['id']).to.equal(receiver.received.at(-2)?.body['id'])
        await page.mouse.move(700, 600)
        await waitForPage(page)
        expect(await findingsOn(page)).to.deep.equal([])

        await page.getByRole('switch', { name: 'On' }).click()
        await page.getByText('Off', { exact: true }).waitFor()
        expectOk(await home.editor.patch(`/content/${story}`, { title: 'Haze' }))
        const hook = page.url().split('/').at(-1) ?? ''
        expect(expectOk(await home.admin.get(`/webhooks/${hook}`, fresh)).object).to.include({
          active: false,
        })
        await page.getByRole('switch', { name: 'On' }).click()
        await receiver.until(5)

        await page.getByRole('button', { name: 'New secret' }).click()
        await dialog.getByRole('button', { name: 'New secret' }).click()
        const second = await dialog.locator('code').innerText()
        expect(second)
          .to.match(/^whsec_/)
          .and.not.equal(secret)
        await dialog.getByRole('button', { name: 'Done' }).click()
        await page.setViewportSize({ width: 360, height: 800 })
        expect(await overflowOf(page)).to.equal(0)

        await page.getByRole('button', { name: 'Delete', exact: true }).click()
        await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
        await page.getByText('There is no web hook.').waitFor()
      },
      { key: await served.service.keyFor('admin', home.number), statuses: [400] },
    )
  })

  it('are no page for editors', async () => {
    await served.open(
      '/1/webhooks',
      async (page) => {
        await page.getByRole('alert').waitFor()
        expect(await page.getByRole('link', { name: 'Web hooks' }).count()).to.equal(0)
        expect(await page.getByRole('button', { name: 'Create' }).count()).to.equal(0)
      },
      { key: served.keys.editor },
    )
  })
})
