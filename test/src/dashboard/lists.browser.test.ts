/** The list that every resource has: order, pages, filters. Blogs and locations stand for all of them. */
import { expect } from 'chai'
import { before, describe, it } from 'mocha'
import type { Page } from 'playwright-core'
import { createPublication, type Publication } from '../harness/publication.js'
import { servedDashboard, type OpenOptions } from './served-dashboard.js'

const pageSize = 25
const blogs = Array.from({ length: pageSize + 5 }, (_, index) => `Blog ${String(index + 1).padStart(2, '0')}`)

const titlesOn = (page: Page): Promise<readonly string[]> =>
  page.locator('#content tbody tr td:first-child').getByRole('link').allInnerTexts()

/** Waits until the list begins with this title, then checks all of them. */
const expectTitles = async (page: Page, titles: readonly string[]): Promise<void> => {
  await page
    .locator('#content tbody tr:first-child')
    .getByRole('link', { name: titles[0] ?? '', exact: true })
    .waitFor()
  expect(await titlesOn(page)).to.deep.equal(titles)
}

describe('the lists of the dashboard', function () {
  this.timeout(240_000)
  const served = servedDashboard()
  let home: Publication
  let options: OpenOptions
  before(async () => {
    home = await createPublication(served.service, { directory_addon: true })
    options = { key: await served.service.keyFor('editor', home.number) }
    for (const title of blogs)
      await home.editor.post('/blogs', { title, urlname: title.replace(' ', '-').toLowerCase() })
    for (const [title, state] of [
      ['The Harbour', 'published'],
      ['The Mill', 'draft'],
    ] as const)
      await home.editor.post('/locations', { title, urlname: title.slice(4).toLowerCase(), state })
  })

  it('have pages, which are in the address', () =>
    served.open(
      `/${home.number}/blogs`,
      async (page) => {
        await expectTitles(page, blogs.slice(0, pageSize))
        expect(await page.getByRole('button', { name: 'Previous page' }).isDisabled()).to.equal(true)
        await page.getByRole('button', { name: 'Next page' }).click()
        await expectTitles(page, blogs.slice(pageSize))
        expect(await page.getByRole('button', { name: 'Next page' }).isDisabled()).to.equal(true)
        expect(page.url()).to.match(/blogs\?page=2$/)
        await page.getByRole('link', { name: blogs.at(-1) ?? '' }).click()
        await page.getByRole('heading', { level: 1, name: blogs.at(-1) ?? '' }).waitFor()
        await page.goBack()
        await expectTitles(page, blogs.slice(pageSize))
        await page.getByRole('button', { name: 'Previous page' }).click()
        await expectTitles(page, blogs.slice(0, pageSize))
      },
      options,
    ))

  it('have an order, which begins at the first page', () =>
    served.open(
      `/${home.number}/blogs`,
      async (page) => {
        await page.getByRole('button', { name: 'Next page' }).click()
        await expectTitles(page, blogs.slice(pageSize))
        await page.getByRole('button', { name: 'Ascending' }).click()
        await expectTitles(page, blogs.toReversed().slice(0, pageSize))
      },
      options,
    ))

  it('have filters, which can be cleared', () =>
    served.open(
      `/${home.number}/locations`,
      async (page) => {
        await page.getByRole('link', { name: 'The Mill' }).waitFor()
        const filters = page.getByRole('button', { name: /^Filters/ })
        if (await filters.isVisible()) await filters.click()
        await page.getByRole('combobox', { name: 'State' }).press('ArrowDown')
        await page.getByRole('option', { name: 'Draft' }).click()
        await page.getByRole('link', { name: 'The Harbour' }).waitFor({ state: 'hidden' })
        expect(await titlesOn(page)).to.deep.equal(['The Mill'])
        // The address has the filter, so that Back and the link to the list return to it.
        expect(page.url()).to.match(/locations\?state=draft$/)
        await page.getByRole('link', { name: 'The Mill' }).click()
        await page.getByRole('heading', { level: 1, name: 'The Mill' }).waitFor()
        await page.goBack()
        await page.getByRole('button', { name: 'Filters (1)' }).waitFor()
        expect(await titlesOn(page)).to.deep.equal(['The Mill'])
        await page.getByRole('link', { name: 'The Mill' }).click()
        await page.getByRole('link', { name: 'Back to the list' }).click()
        await page.getByRole('button', { name: 'Filters (1)' }).waitFor()
        await page.getByRole('button', { name: 'Clear filters' }).click()
        await page.getByRole('link', { name: 'The Harbour' }).waitFor()
        expect(await titlesOn(page)).to.have.members(['The Harbour', 'The Mill'])
      },
      options,
    ))

  it('say so if nothing is there', () =>
    served.open(
      `/${home.number}/redirects`,
      async (page) => {
        await page.getByText('Nothing here yet.').waitFor()
      },
      options,
    ))

  it('report a page that does not exist', () =>
    served.open(
      `/${home.number}/blogs/00000000-0000-4000-8000-000000000000`,
      async (page) => {
        await page.getByRole('alert').getByText('does not exist').waitFor()
      },
      { ...options, statuses: [404] },
    ))
})
