/** The history of an object in the dashboard: its versions, what differs, and how one is restored. */
import { expect } from 'chai'
import { before, describe, it } from 'mocha'
import type { Page } from 'playwright-core'
import { expectOk, objectsOf, uuidOf } from '../harness/expect-response.js'
import { createPublication, type Publication } from '../harness/publication.js'
import { findingsOn } from '../pages/axe-findings.js'
import { overflowOf } from '../pages/browser.js'
import { servedDashboard, waitForPage, type OpenOptions } from './served-dashboard.js'

describe('the history in the dashboard', function () {
  this.timeout(240_000)
  const served = servedDashboard()
  let home: Publication
  let options: OpenOptions
  before(async () => {
    home = await createPublication(served.service, { timezone: 'Asia/Tokyo' })
    options = { key: await served.service.keyFor('editor', home.number) }
  })

  const later = () => served.service.clock.advance(60_000)
  const create = async (title: string, more: Readonly<Record<string, string>> = {}): Promise<string> =>
    uuidOf(
      await home.editor.post('/content', {
        content_type: 'article',
        title,
        urlname: title.toLowerCase(),
        ...more,
      }),
    )
  const change = async (uuid: string, body: Readonly<Record<string, string | null>>): Promise<void> => {
    later()
    expectOk(await home.editor.patch(`/content/${uuid}`, body))
  }
  const stored = async (uuid: string) => (await home.editor.get(`/content/${uuid}`)).object
  const versions = async (uuid: string) => objectsOf(await home.editor.get(`/content/${uuid}/versions`))

  const title = (page: Page) => page.getByRole('textbox', { name: 'Title', exact: true })
  const saveTitle = async (page: Page, text: string): Promise<void> => {
    later()
    await title(page).fill(text)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
  }
  const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
  const open = (page: Page) => page.getByRole('button', { name: 'History' }).click()
  const show = async (page: Page, name: RegExp): Promise<void> => {
    await open(page)
    await dialog(page, 'History').getByRole('button', { name }).click()
    await dialog(page, 'History').getByRole('button', { name: 'Restore this version' }).waitFor()
    await waitForPage(page)
  }
  const askToRestore = (page: Page) => page.getByRole('button', { name: 'Restore this version' }).click()
  const confirm = (page: Page, name: string) =>
    dialog(page, 'Restore this version?').getByRole('button', { name }).click()

  it('lists versions with words, compares the first with the present one, and restores it', async () => {
    const uuid = await create('Fog', { content: '<p>The harbour lay in <em>fog</em>.</p>' })
    await change(uuid, { content: '<p>The harbour lay in <em>mist</em>.</p>' })
    await served.open(
      `/${home.number}/content/${uuid}`,
      async (page) => {
        await saveTitle(page, 'Mist')
        await saveTitle(page, 'Haze')
        const saved = served.service.clock.now()
        await open(page)
        const history = dialog(page, 'History')
        await history.getByText('Current').waitFor()
        const rows = (await history.locator('.mantine-Accordion-item').allInnerTexts()).map((text) =>
          text.replaceAll(/\s+/g, ' '),
        )
        expect(rows).to.have.length(4)
        expect(rows[0]).to.match(/CURRENT editor of \d+ changed “Haze” Title$/i)
        expect(rows[1]).to.match(/editor of \d+ changed “Haze” Title$/)
        expect(rows[2]).to.match(/editor of \d+ changed “Haze” Body$/)
        expect(rows[3]).to.match(/editor of \d+ created “Haze”/)
        const time = new Intl.DateTimeFormat('en', {
          dateStyle: 'medium',
          timeStyle: 'short',
          timeZone: 'Asia/Tokyo',
        })
        expect(await history.locator('time').first().innerText()).to.equal(time.format(new Date(saved)))

        await history.getByRole('button', { name: /created/ }).click()
        await history.getByRole('button', { name: 'Restore this version' }).waitFor()
        await waitForPage(page)
        const words = async (element: string) =>
          (await history.locator(element).allTextContents()).filter((text) => text.includes(': '))
        expect(await words('del')).to.deep.equal(['In this version: Fog', 'In this version: fog'])
        expect(await words('ins')).to.deep.equal(['Now: Haze', 'Now: mist'])
        expect(await history.getByRole('heading', { level: 4 }).allInnerTexts()).to.deep.equal([
          'Title',
          'Body',
        ])
        expect(await findingsOn(page)).to.deep.equal([])

        await page.keyboard.press('Escape')
        await history.waitFor({ state: 'hidden' })
        await page.setViewportSize({ width: 360, height: 800 })
        await title(page).fill('Not saved')
        await show(page, /created/)
        expect(await overflowOf(page)).to.equal(0)
        const tooWide =
          "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('[role=dialog]'))"
        expect(await page.evaluate(tooWide)).to.equal(0)
        later()
        await askToRestore(page)
        await dialog(page, 'Restore this version?')
          .getByText('unsaved changes on this page are lost')
          .waitFor()
        await confirm(page, 'Restore this version')
        await page.getByRole('heading', { level: 1, name: 'Fog' }).waitFor()
        expect(await title(page).inputValue()).to.equal('Fog')
        await page.getByText('Saved', { exact: true }).waitFor()
        expect(await stored(uuid)).to.include({
          title: 'Fog',
          content: '<p>The harbour lay in <em>fog</em>.</p>',
        })
        expect((await versions(uuid))[0]).to.include({ operation: 'restoreVersion' })
        await saveTitle(page, 'Fog again')
        expect((await stored(uuid))['title']).to.equal('Fog again')
      },
      options,
    )
  })

  it('asks again if somebody else has saved another version meanwhile', async () => {
    const uuid = await create('Ebb')
    await change(uuid, { title: 'Tide', state: 'published' })
    await served.open(
      `/${home.number}/content/${uuid}`,
      async (page) => {
        await change(uuid, { title: 'Flood' })
        await show(page, /created/)
        await askToRestore(page)
        await page.getByText('The public will no longer see it.').waitFor()
        await confirm(page, 'Restore this version')
        await page.getByRole('alert').getByText('It was changed meanwhile').waitFor()
        expect((await stored(uuid))['title']).to.equal('Flood')
        await confirm(page, 'Restore anyway')
        await page.getByRole('heading', { level: 1, name: 'Ebb' }).waitFor()
        expect(await stored(uuid)).to.include({ title: 'Ebb', state: 'draft' })
      },
      { ...options, statuses: [412] },
    )
  })

  it('names what cannot be restored, and changes nothing', async () => {
    const section = uuidOf(await home.admin.post('/sections', { title: 'Boats', urlname: 'boats' }))
    const uuid = await create('Ferry', { section_uuid: section })
    await change(uuid, { section_uuid: null, kicker: 'At sea' })
    expectOk(await home.admin.delete(`/sections/${section}`))
    await served.open(
      `/${home.number}/content/${uuid}`,
      async (page) => {
        await show(page, /created/)
        await askToRestore(page)
        await confirm(page, 'Restore this version')
        await page.getByRole('alert').getByText('Section', { exact: true }).waitFor()
        await confirm(page, 'Cancel')
        await page.getByRole('heading', { level: 3 }).first().waitFor()
        await page.keyboard.press('Escape')
        await page.getByRole('dialog').waitFor({ state: 'hidden' })
        expect((await stored(uuid))['kicker']).to.equal('At sea')
        expect(await versions(uuid)).to.have.length(2)
      },
      { ...options, statuses: [400] },
    )
  })

  it('restores the stories of a homepage', async () => {
    const path = '/homepage/mon/headline_stories'
    const stories = async (uuids: readonly string[]): Promise<void> => {
      later()
      const items = uuids.map((uuid) => ({ type: 'content', link_uuid: uuid }))
      expectOk(await home.editor.put(path, { items }))
    }
    const uuid = await create('Lighthouse')
    await stories([uuid])
    await stories([])
    await served.open(
      `/${home.number}/homepage?day=mon`,
      async (page) => {
        const headlines = page.getByRole('region', { name: 'Headlines' })
        expect(await headlines.getByRole('link', { name: 'Lighthouse' }).count()).to.equal(0)
        await open(page)
        const history = dialog(page, 'History')
        await history.getByRole('button', { name: /Headlines/ }).click()
        await history.getByText('Also changed since then: Headlines').waitFor()
        await askToRestore(page)
        await confirm(page, 'Restore this version')
        await headlines.getByRole('link', { name: 'Lighthouse' }).waitFor()
        expect(objectsOf(await home.editor.get(path))[0]).to.include({ link_uuid: uuid })
      },
      options,
    )
  })
})
