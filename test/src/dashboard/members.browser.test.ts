/** Lists of objects that belong to another one, in the dashboard: images of a listing, tags of a category, uses of a file. */
import { expect } from 'chai'
import { before, describe, it } from 'mocha'
import type { Page } from 'playwright-core'
import { columnOf, expectOk, objectsOf } from '../harness/expect-response.js'
import { createPublication, type Publication } from '../harness/publication.js'
import { storeFile } from '../harness/stored-files.js'
import { servedDashboard, type OpenOptions } from './served-dashboard.js'

describe('lists of members in the dashboard', function () {
  this.timeout(120_000)
  const served = servedDashboard()
  let home: Publication
  let options: OpenOptions
  before(async () => {
    home = await createPublication(served.service, { title: 'The Daily Harbour', directory_addon: true })
    options = { key: await served.service.keyFor('editor', home.number) }
  })

  const create = async (path: string, body: Record<string, unknown>): Promise<string> => {
    const response = await home.admin.post(path, body as never)
    expectOk(response)
    return String(response.object['uuid'])
  }
  const open = (path: string, use: (page: Page) => Promise<void>, more: OpenOptions = {}): Promise<void> =>
    served.open(`/${home.number}${path}`, use, { ...options, ...more })
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const saved = (page: Page, method: string, path: string) =>
    page.waitForResponse(
      (response) => response.request().method() === method && response.url().endsWith(path),
    )

  it('adds images to a listing, orders them, and asks if somebody else has changed them', async () => {
    const [quay, crane] = [
      await storeFile(home.editor, { title: 'The quay' }),
      await storeFile(home.editor, { title: 'The crane' }),
    ]
    const uuid = await create('/locations', { title: 'Harbour inn', urlname: 'inn', is_listing: true })
    const path = `/locations/${uuid}/listing_images`
    const images = async () => objectsOf(await home.editor.get(path)).map((image) => image['uuid'])
    await open(
      `/locations/${uuid}`,
      async (page) => {
        const panel = page.getByRole('group', { name: 'Images of the listing' })
        await panel.getByRole('button', { name: 'Add pictures' }).click()
        const dialog = page.getByRole('dialog')
        await dialog.getByRole('button', { name: 'The quay' }).click()
        await dialog.getByRole('button', { name: 'The crane' }).click()
        await dialog.getByRole('button', { name: 'Use 2 files' }).click()
        await button(page, 'Earlier: The crane').click()
        let written = saved(page, 'PUT', path)
        await button(page, 'Save the images').click()
        expect((await written).status()).to.equal(200)
        expect(await images()).to.deep.equal([crane.id, quay.id])

        await panel.locator('button:disabled', { hasText: 'Save the images' }).waitFor()
        expectOk(await home.admin.put(path, { items: [{ uuid: quay.id }] }))
        await button(page, 'Earlier: The quay').click()
        await button(page, 'Save the images').click()
        await button(page, 'Keep my list, and save it').waitFor()
        written = saved(page, 'PUT', path)
        await button(page, 'Keep my list, and save it').click()
        expect((await written).status()).to.equal(200)
        expect(await images()).to.deep.equal([quay.id, crane.id])
      },
      { statuses: [412] },
    )
  })

  it('changes an attribute of a listing together with its flag', async () => {
    const uuid = await create('/locations', { title: 'Mill', urlname: 'mill', is_listing: true })
    await open(`/locations/${uuid}`, async (page) => {
      await page.getByRole('textbox', { name: 'Contact person' }).fill('Éloïse Grünwald')
      const written = saved(page, 'PATCH', uuid)
      await button(page, 'Save').click()
      expect((await written).status()).to.equal(200)
      expect((await home.editor.get(`/locations/${uuid}`)).object['contact_person']).to.equal(
        'Éloïse Grünwald',
      )
    })
  })

  it('says that a tag could not be read, and adds it', async () => {
    const tag = await create('/tags', { last_name_or_title: 'Gulls', urlname: 'gulls', state: 'approved' })
    const category = await create('/tags/categories', { title: 'Birds', urlname: 'birds' })
    const path = `/tags/categories/${category}/tags`
    await open(
      `/tag_categories/${category}`,
      async (page) => {
        const pattern = new RegExp(`/tags/${tag}$`)
        await page.route(pattern, (route) => route.abort())
        await page.getByRole('button', { name: /^Add a tag/ }).click()
        await page.getByRole('option', { name: 'Gulls' }).click()
        await page.getByRole('alert').waitFor()
        const written = saved(page, 'PUT', path)
        await button(page, 'Save the tags').click()
        expect((await written).status()).to.equal(200)
        expect(columnOf(await home.editor.get(`${path}?fields=uuid`))).to.deep.equal([tag])
        await page.unroute(pattern)
      },
      { statuses: [0] },
    )
  })

  it('lists what uses a file', async () => {
    const { id } = await storeFile(home.editor, { title: 'The lighthouse' })
    await open(`/files/${id}`, (page) => page.getByText('Nothing uses this file.').waitFor())
    await create('/sections', { title: 'Ships', urlname: 'ships', feature_image_uuid: id })
    for (let number = 1; number <= 11; number += 1)
      await create('/content', {
        content_type: 'article',
        title: `Story ${number}`,
        urlname: `story-${number}`,
        teaser_image_uuid: id,
      })
    await open(`/files/${id}`, async (page) => {
      const uses = page.getByRole('group', { name: 'Used in' })
      await uses.getByRole('link', { name: 'Ships' }).waitFor()
      await uses.getByRole('link', { name: 'All uses: Content' }).waitFor()
      expect(await uses.getByRole('link', { name: /^Story/ }).count()).to.equal(10)
      await uses.getByRole('link', { name: 'All uses: Content' }).click()
      await page.getByRole('link', { name: 'Story 11', exact: true }).waitFor()
      expect(await page.getByRole('link', { name: /^Story \d+$/ }).count()).to.equal(11)
    })
  })

  it('names what uses a file before it is deleted, and asks again if the public sees it', async () => {
    const [used, drafted] = [
      await storeFile(home.editor, { title: 'The ferry' }),
      await storeFile(home.editor, { title: 'The buoy' }),
    ]
    const story = (title: string, id: string, state: string) =>
      create('/content', { content_type: 'article', title, urlname: title, teaser_image_uuid: id, state })
    await story('Departure', used.id, 'published')
    await story('Sketch', drafted.id, 'draft')
    const exists = async (id: string) => (await home.editor.get(`/files/${id}`)).status === 200
    const dialog = (page: Page) => page.getByRole('dialog')
    await open('/files', async (page) => {
      await page.getByRole('checkbox', { name: 'Select “The ferry”' }).check()
      await button(page, 'Delete').click()
      await dialog(page).getByRole('link', { name: 'Departure' }).waitFor()
      await dialog(page).getByRole('button', { name: 'Delete' }).click()
      await dialog(page).getByText('It is used in what the public sees').waitFor()
      expect(await exists(used.id)).to.equal(true)
      await dialog(page).getByRole('button', { name: 'Delete anyway' }).click()
      await dialog(page).waitFor({ state: 'hidden' })
      expect(await exists(used.id)).to.equal(false)
    })
    await open(`/files/${drafted.id}`, async (page) => {
      await button(page, 'Delete').click()
      await dialog(page).getByRole('link', { name: 'Sketch' }).waitFor()
      await dialog(page).getByRole('button', { name: 'Delete' }).click()
      await dialog(page).waitFor({ state: 'hidden' })
      expect(await exists(drafted.id)).to.equal(false)
    })
  })
})
