/** The audit log says in words who has changed what. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { expectOk, uuidOf } from '../harness/expect-response.js'
import { createPublication } from '../harness/publication.js'
import { servedDashboard } from './served-dashboard.js'

describe('the audit log in the dashboard', function () {
  this.timeout(120_000)
  const served = servedDashboard()

  it('has a sentence for each change, in the time of the publication, and those of one person', async () => {
    const home = await createPublication(served.service, { timezone: 'Asia/Tokyo' })
    const uuid = uuidOf(
      await home.editor.post('/content', { content_type: 'article', title: 'Fog', urlname: 'fog' }),
    )
    served.service.clock.advance(1000)
    expectOk(await home.editor.patch(`/content/${uuid}`, { state: 'published' }))
    served.service.clock.advance(1000)
    expectOk(await home.admin.patch('/settings', { language: 'de' }))
    await served.open(
      `/${home.number}/audit`,
      async (page) => {
        const rows = page.locator('#content tbody tr')
        const texts = async () => (await rows.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '))
        const [settings = '', published = '', created = ''] = await texts()
        expect(settings).to.match(/admin of \d+ changed the settings SETTINGS Language: de /i)
        expect(published).to.match(/editor of \d+ made “Fog” public CONTENT /i)
        expect(created).to.match(/editor of \d+ created “Fog” CONTENT /i)
        const time = new Intl.DateTimeFormat('en', {
          dateStyle: 'medium',
          timeStyle: 'short',
          timeZone: 'Asia/Tokyo',
        })
        expect(await rows.first().locator('time').innerText()).to.equal(
          time.format(new Date(served.service.clock.now())),
        )
        await page.getByLabel('Who').selectOption(`editor of ${home.number}`)
        await rows.filter({ hasText: 'settings' }).waitFor({ state: 'detached' })
        expect(await texts()).to.deep.equal([published, created])
        await rows.first().getByRole('link', { name: '“Fog”' }).click()
        await page.getByRole('heading', { level: 1, name: 'Fog' }).waitFor()
      },
      { key: await served.service.keyFor('admin', home.number) },
    )
  })
})
