/** Drafts of published objects in the dashboard: saved, published, discarded. */
import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { before, describe, it } from 'mocha'
import type { Page } from 'playwright-core'
import { expectError, expectOk, objectsOf, uuidOf } from '../harness/expect-response.js'
import { createPublication, type Publication } from '../harness/publication.js'
import { smallPng } from '../harness/small-files.js'
import { findingsOn } from '../pages/axe-findings.js'
import { overflowOf } from '../pages/browser.js'
import { servedDashboard, waitForPage, type OpenOptions } from './served-dashboard.js'

describe('drafts in the dashboard', function () {
  this.timeout(240_000)
  const served = servedDashboard()
  let home: Publication
  let options: OpenOptions
  before(async () => {
    home = await createPublication(served.service)
    options = { key: await served.service.keyFor('editor', home.number) }
  })

  const create = async (title: string, more: Readonly<Record<string, string>> = {}): Promise<string> =>
    uuidOf(
      await home.editor.post('/content', {
        content_type: 'article',
        title,
        urlname: title.toLowerCase(),
        state: 'published',
        ...more,
      }),
    )
  const fresh = { 'Cache-Control': 'no-cache' }
  const stored = async (path: string) => expectOk(await home.editor.get(path, fresh)).object
  const title = (page: Page) => page.getByRole('textbox', { name: 'Title', exact: true })
  const click = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
  const saveDraft = async (page: Page, text: string): Promise<void> => {
    await title(page).fill(text)
    await click(page, 'Save draft')
    await page.getByText('This is a draft.').waitFor()
    await waitForPage(page)
  }

  it('keep changes from the public, with media and links, until they are published', async () => {
    const slot = randomUUID()
    const uuid = await create('Fog', { content: `<p>A text.</p><slot id="${slot}"/>` })
    const path = `/content/${uuid}`
    await served.open(
      `/${home.number}/content/${uuid}`,
      async (page) => {
        await click(page, 'Add pictures')
        const library = page.getByRole('dialog')
        await library
          .locator('input[type=file]')
          .setInputFiles([{ name: 'fog.png', mimeType: 'image/png', buffer: Buffer.from(smallPng) }])
        await library.getByRole('button', { name: 'Use 1 file' }).click()
        await page.getByRole('button', { name: 'Move: fog.png', exact: true }).waitFor()
        await saveDraft(page, 'Mist')
        const media = async (of: string) =>
          objectsOf(await home.editor.get(`${of}/slots/${slot}/media`, fresh))
        expect(await media(`${path}/draft`)).to.have.lengthOf(1)
        expect(await media(path)).to.deep.equal([])
        expect(await stored(path)).to.include({ title: 'Fog', has_draft: true })
        expect(await stored(`${path}/draft`)).to.include({ title: 'Mist' })
        expect(await findingsOn(page)).to.deep.equal([])
        await page.setViewportSize({ width: 360, height: 800 })
        await waitForPage(page)
        expect(await overflowOf(page)).to.equal(0)
        await page.setViewportSize({ width: 1280, height: 900 })
        await page.getByRole('textbox', { name: 'Address of a page' }).fill('https://example.org/')
        await click(page, 'Add the address')
        await page.getByRole('link', { name: 'https://example.org/' }).waitFor()
        expect(objectsOf(await home.editor.get(`${path}/related_links`, fresh))).to.deep.equal([])

        await click(page, 'Edit the published version')
        await page.getByText('This is the published version.').waitFor()
        expect(await title(page).inputValue()).to.equal('Fog')
        await click(page, 'Edit the draft')
        await page.getByText('This is a draft.').waitFor()
        expect(await title(page).inputValue()).to.equal('Mist')

        await title(page).fill('Haze')
        await click(page, 'Publish changes')
        await page.getByText('This is a draft.').waitFor({ state: 'hidden' })
        await page.getByRole('heading', { level: 1, name: 'Haze' }).waitFor()
        expect(await title(page).inputValue()).to.equal('Haze')
        expect(await stored(path)).to.include({ title: 'Haze', has_draft: false })
        expect(objectsOf(await home.editor.get(`${path}/related_links`, fresh))).to.have.lengthOf(1)
        expect(await media(path)).to.have.lengthOf(1)
        expect(objectsOf(await home.editor.get(`${path}/versions`))).to.have.lengthOf(2)
      },
      options,
    )
  })

  it('are shown when the page is opened, and discarded after a question', async () => {
    const uuid = await create('Ebb')
    const path = `/content/${uuid}`
    expectOk(await home.admin.patch(`${path}/draft`, { title: 'Tide' }))
    await served.open(
      `/${home.number}/content/${uuid}`,
      async (page) => {
        await page.getByText('This is a draft.').waitFor()
        expect(await title(page).inputValue()).to.equal('Tide')
        await click(page, 'Discard draft')
        const question = page.getByRole('dialog', { name: 'Discard the draft?' })
        await question.getByRole('button', { name: 'Discard draft' }).click()
        await page.getByRole('heading', { level: 1, name: 'Ebb' }).waitFor()
        expectError(await home.editor.get(`${path}/draft`), 404, 'not_found')
        expect(await stored(path)).to.include({ title: 'Ebb', has_draft: false })
      },
      options,
    )
  })

  it('have tags, and a time of publication in the zone of the publication', async () => {
    const uuid = await create('Dune')
    const path = `/content/${uuid}`
    const label = { last_name_or_title: 'Sand', urlname: 'sand', type: 'default', state: 'approved' }
    uuidOf(await home.editor.post('/tags', label))
    expectOk(await home.admin.patch(`${path}/draft`, { title: 'Beach' }))
    await served.open(
      `/${home.number}/content/${uuid}`,
      async (page) => {
        await page.getByText('This is a draft.').waitFor()
        await page.getByRole('button', { name: /^Add a tag/ }).click()
        await page.getByRole('option', { name: 'Sand' }).click()
        await page.getByRole('button', { name: 'Remove: Sand' }).waitFor()
        expect(objectsOf(await home.editor.get(`${path}/draft/tags`, fresh))).to.have.lengthOf(1)
        expect(objectsOf(await home.editor.get(`${path}/tags`, fresh))).to.deep.equal([])
        const time = page.getByLabel('Publish the draft at (time in Europe/Vienna)')
        await time.fill('2099-03-01T08:30')
        await page.getByText('It is published on').waitFor()
        expect(await findingsOn(page)).to.deep.equal([])
        await click(page, 'Save draft')
        await page.getByText('Saved', { exact: true }).waitFor()
        expect(await stored(`${path}/draft`)).to.include({ publish_at: '2099-03-01T08:30:00' })
        await time.fill('')
        await page.getByText('Unsaved changes').waitFor()
        await click(page, 'Save draft')
        await page.getByText('Saved', { exact: true }).waitFor()
        expect(await stored(`${path}/draft`)).to.include({ publish_at: null })
      },
      // The tag has changed the draft since the page has read it.
      { ...options, statuses: [412] },
    )
  })

  it('that were not published at their time are in the overview, and say why', async () => {
    const uuid = await create('Jetty')
    const path = `/content/${uuid}`
    const at = new Date(served.service.clock.now() + 60_000).toISOString()
    expectOk(await home.editor.patch(`${path}/draft`, { title: 'Mole', publish_at: at }))
    expectOk(await home.admin.patch(path, { title: 'Wharf' }))
    served.service.clock.advance(60_000)
    await served.service.useCases.publishDueDrafts()
    await served.open(
      `/${home.number}`,
      async (page) => {
        await page.getByRole('heading', { name: 'Not published at the time' }).waitFor()
        await page.getByText('It should have been published on').waitFor()
        expect(await findingsOn(page)).to.deep.equal([])
        await page.getByRole('link', { name: 'Wharf' }).first().click()
        await page.getByText('changed in the published version in the meantime').waitFor()
        await waitForPage(page)
        expect(await findingsOn(page)).to.deep.equal([])
        expect(await overflowOf(page)).to.equal(0)
        const time = page.getByLabel('Publish the draft at (time in Europe/Vienna)')
        await time.fill('2099-03-01T08:30')
        await click(page, 'Save draft')
        await page.getByText('Saved', { exact: true }).waitFor()
        await page.getByText('It should have been published on').waitFor({ state: 'hidden' })
      },
      options,
    )
  })

  it('name what was changed since in the published version, and are published anyway', async () => {
    const uuid = await create('Ferry')
    const path = `/content/${uuid}`
    await served.open(
      `/${home.number}/content/${uuid}`,
      async (page) => {
        await saveDraft(page, 'Boat')
        expectOk(await home.admin.patch(path, { title: 'Ship', kicker: 'At sea' }))
        await click(page, 'Publish changes')
        const alert = page
          .getByRole('alert')
          .filter({ hasText: 'changed in the published version in the meantime' })
        await alert.waitFor()
        expect(await alert.getByRole('listitem').allInnerTexts()).to.deep.equal(['Title'])
        expect(await stored(path)).to.include({ title: 'Ship' })
        await click(page, 'Publish anyway')
        await page.getByRole('heading', { level: 1, name: 'Boat' }).waitFor()
        await page.getByText('This is a draft.').waitFor({ state: 'hidden' })
        expect(await stored(path)).to.include({ title: 'Boat', kicker: 'At sea', has_draft: false })
      },
      { ...options, statuses: [412] },
    )
  })

  it('name what is not accepted', async () => {
    const uuid = await create('Quay')
    await create('Harbour')
    const name = (page: Page) => page.getByRole('textbox', { name: 'Name in addresses' })
    await served.open(
      `/${home.number}/content/${uuid}`,
      async (page) => {
        await name(page).fill('harbour')
        await click(page, 'Save draft')
        await page.getByRole('alert').getByText('not unique').waitFor()
        expectError(await home.editor.get(`/content/${uuid}/draft`), 404, 'not_found')
        await name(page).fill('pier')
        await saveDraft(page, 'Pier')
      },
      { ...options, statuses: [400] },
    )
  })

  it('are shown on the website, as they are saved', async () => {
    const uuid = await create('Buoy')
    const path = `/content/${uuid}`
    expectOk(await home.editor.patch(`${path}/draft`, { title: 'Beacon' }))
    const template = `${served.service.url}/docs?path={path}&token={token}`
    expectOk(await home.admin.patch('/settings', { preview_url: template }))
    await served.open(
      `/${home.number}/content/${uuid}`,
      async (page) => {
        const [website] = await Promise.all([page.waitForEvent('popup'), click(page, 'Preview')])
        await website.waitForURL(/token=preview/)
        const { searchParams } = new URL(website.url())
        expect(searchParams.get('path')).to.equal('/buoy/')
        const headers = { ...fresh, Authorization: `Bearer ${searchParams.get('token') ?? ''}` }
        expect(expectOk(await home.anonymous.get(path, headers)).object).to.include({ title: 'Beacon' })
        expect(await website.evaluate('window.opener')).to.equal(null)
        await website.close()
        await page.mouse.move(0, 0)
        await waitForPage(page)
        expect(await findingsOn(page)).to.deep.equal([])
        await page.setViewportSize({ width: 360, height: 800 })
        await waitForPage(page)
        expect(await overflowOf(page)).to.equal(0)
      },
      options,
    )
  })

  it('are offered for what is published alone', async () => {
    const uuid = await create('Note', { state: 'draft' })
    await served.open(
      `/${home.number}/content/${uuid}`,
      async (page) => {
        await title(page).fill('Changed')
        expect(await page.getByRole('button', { name: 'Save draft' }).count()).to.equal(0)
        await click(page, 'Save')
        await page.getByText('Saved', { exact: true }).waitFor()
      },
      options,
    )
  })
})
