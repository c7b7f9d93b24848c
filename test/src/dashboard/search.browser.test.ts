/** The search over everything, in the header of the dashboard. */
import { expect } from 'chai'
import { before, describe, it } from 'mocha'
import { createPublication, type Publication } from '../harness/publication.js'
import { uuidOf } from '../harness/expect-response.js'
import { findingsOn } from '../pages/axe-findings.js'
import { servedDashboard, type OpenOptions } from './served-dashboard.js'

describe('the search of the dashboard', function () {
  this.timeout(240_000)
  const served = servedDashboard()
  let home: Publication
  let options: OpenOptions
  let letter: string
  before(async () => {
    home = await createPublication(served.service)
    options = { key: await served.service.keyFor('editor', home.number) }
    const { editor } = home
    letter = uuidOf(
      await editor.post('/content', {
        content_type: 'article',
        title: 'A letter & <mark>more</mark>',
        urlname: 'letter',
        content: '<p>The lighthouse keeper writes.</p>',
      }),
    )
    await editor.post('/locations', { title: 'Lighthouse', urlname: 'lighthouse' })
  })

  it('opens by its button and by keys, and opens what is chosen', () =>
    served.open(
      `/${home.number}`,
      async (page) => {
        const dialog = page.getByRole('dialog', { name: 'Search everything' })
        await page.keyboard.press('/')
        await dialog.waitFor()
        await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'hidden' })
        await page.getByRole('button', { name: 'Search everything' }).click()
        await dialog.waitFor()
        await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'hidden' })

        await page.keyboard.press('Control+k')
        await dialog.getByRole('searchbox', { name: 'Search' }).fill('lighthouse')
        await dialog.getByRole('listitem').filter({ hasText: 'Locations' }).waitFor()
        const found = dialog.getByRole('listitem').filter({ hasText: 'A letter & <mark>more</mark>' })
        await found.locator('mark', { hasText: 'lighthouse' }).waitFor()
        expect(await findingsOn(page)).to.deep.equal([])

        await found.getByRole('button').focus()
        await page.keyboard.press('Enter')
        await page.getByRole('heading', { level: 1, name: 'A letter & <mark>more</mark>' }).waitFor()
        expect(page.url()).to.include(`/${home.number}/content/${letter}`)
      },
      options,
    ))

  it('says so if nothing is found', () =>
    served.open(
      `/${home.number}`,
      async (page) => {
        await page.keyboard.press('Control+k')
        await page.getByRole('dialog').getByRole('searchbox', { name: 'Search' }).fill('zeppelin')
        await page.getByRole('dialog').getByText('Nothing matches these filters.').waitFor()
        expect(await findingsOn(page)).to.deep.equal([])
      },
      options,
    ))
})
