/** The form that every resource has: create, edit, faults, delete, conflicts, and changes that are not saved. */
import { expect } from 'chai'
import { before, describe, it } from 'mocha'
import type { Page } from 'playwright-core'
import { createPublication, type Publication } from '../harness/publication.js'
import { servedDashboard, type OpenOptions } from './served-dashboard.js'

describe('the forms of the dashboard', function () {
  this.timeout(240_000)
  const served = servedDashboard()
  let home: Publication
  let options: OpenOptions
  let made = 0
  before(async () => {
    home = await createPublication(served.service)
    options = { key: await served.service.keyFor('editor', home.number) }
  })

  const createBlog = async (title: string): Promise<string> => {
    made += 1
    const { object } = await home.editor.post('/blogs', { title, urlname: `blog-${made}` })
    return String(object['uuid'])
  }
  const blog = async (uuid: string) => (await home.editor.get(`/blogs/${uuid}`)).object
  const openBlog = (
    uuid: string,
    use: (page: Page) => Promise<void>,
    more: OpenOptions = {},
  ): Promise<void> => served.open(`/${home.number}/blogs/${uuid}`, use, { ...options, ...more })
  const title = (page: Page) => page.getByRole('textbox', { name: 'Title', exact: true })
  const about = (page: Page) => page.getByRole('textbox', { name: 'Description', exact: true })
  const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true })
  const waitUntilSaved = (page: Page): Promise<void> => page.getByText('Saved', { exact: true }).waitFor()

  it('create an object, show faults at their fields, edit it and delete it', () =>
    served.open(
      `/${home.number}/blogs`,
      async (page) => {
        await createBlog('The first')
        await page.getByRole('link', { name: 'Create' }).click()
        await page.getByRole('heading', { level: 1, name: 'New blog' }).waitFor()
        expect(await page.getByText('Unsaved changes').count()).to.equal(0)
        await title(page).fill('Letters')
        await page.getByRole('textbox', { name: 'Name in addresses' }).fill(`blog-${made}`)
        await page.getByRole('button', { name: 'Create' }).click()
        await page.getByRole('alert').getByText('Name in addresses').waitFor()
        const field = page.getByRole('textbox', { name: 'Name in addresses' })
        expect(await field.getAttribute('aria-invalid')).to.equal('true')
        await page.locator('[data-faulty] input:focus').waitFor()
        expect(await title(page).inputValue()).to.equal('Letters')

        await field.fill('letters')
        await page.getByRole('button', { name: 'Create' }).click()
        await page.getByRole('heading', { level: 1, name: 'Letters' }).waitFor()
        const uuid = page.url().split('/').at(-1) ?? ''
        expect(await blog(uuid)).to.include({ title: 'Letters', urlname: 'letters' })

        await title(page).fill('Letters to us')
        await save(page).click()
        await waitUntilSaved(page)
        expect(await blog(uuid)).to.include({ title: 'Letters to us', urlname: 'letters' })

        await page.getByRole('button', { name: 'Delete' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
        await page.getByRole('link', { name: 'The first' }).waitFor()
        expect((await home.editor.get(`/blogs/${uuid}`)).status).to.equal(404)
      },
      { ...options, statuses: [400, 404, 422] },
    ))

  it('send changes on the condition that the version is the one that was read', async () => {
    const uuid = await createBlog('Sent')
    await openBlog(uuid, async (page) => {
      const sent = page.waitForRequest((request) => request.method() === 'PATCH')
      await about(page).fill('Changed')
      await save(page).click()
      expect((await sent).headers()['if-match']).to.match(/^"/)
      await waitUntilSaved(page)
    })
  })

  it('discard changes: short ones at once, others after a question', async () => {
    const uuid = await createBlog('Kept')
    await openBlog(uuid, async (page) => {
      await title(page).fill('Dropped')
      const discard = page.getByRole('button', { name: 'Discard changes' })
      await discard.click()
      expect(await title(page).inputValue()).to.equal('Kept')
      expect(await save(page).isDisabled()).to.equal(true)

      await about(page).fill('A description that took some time.')
      await discard.click()
      await page.getByRole('dialog').getByRole('button', { name: 'Keep editing' }).click()
      expect(await about(page).inputValue()).to.equal('A description that took some time.')
      await discard.click()
      await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click()
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
      expect(await about(page).inputValue()).to.equal('')
    })
  })

  it('ask before changes are left', async () => {
    const uuid = await createBlog('Unsaved')
    await openBlog(uuid, async (page) => {
      await title(page).fill('Still here')
      await page.getByRole('link', { name: 'Back to the list' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click()
      expect(await title(page).inputValue()).to.equal('Still here')
      expect(page.url()).to.include(uuid)
      await page.getByRole('link', { name: 'Redirects' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
      await page.getByRole('heading', { level: 1, name: 'Redirects' }).waitFor()
      expect(await blog(uuid)).to.include({ title: 'Unsaved' })
    })
  })

  /** Two browsers change one blog; the second to save sees the conflict. */
  const conflicting = async (resolve: (page: Page) => Promise<void>) => {
    const uuid = await createBlog('Before')
    await openBlog(
      uuid,
      async (page) => {
        await title(page).fill('Mine')
        await about(page).fill('My description')
        await openBlog(uuid, async (other) => {
          await title(other).fill('Theirs')
          await save(other).click()
          await waitUntilSaved(other)
        })
        await save(page).click()
        const dialog = page.getByRole('dialog')
        await dialog.getByText('Theirs').waitFor()
        await dialog.getByText('Mine', { exact: true }).waitFor()
        await resolve(page)
        await dialog.waitFor({ state: 'hidden' })
        await page.getByText('Unsaved changes').waitFor({ state: 'hidden' })
      },
      { statuses: [412] },
    )
    return blog(uuid)
  }

  it('save over the version of another user', async () => {
    const saved = await conflicting((page) =>
      page.getByRole('dialog').getByRole('button', { name: 'Save the chosen values' }).click(),
    )
    expect(saved).to.include({ title: 'Mine', description: 'My description' })
  })

  it('keep the value of another user for one attribute', async () => {
    const saved = await conflicting(async (page) => {
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('radio', { name: /Theirs/ }).click()
      await dialog.getByRole('button', { name: 'Save the chosen values' }).click()
    })
    expect(saved).to.include({ title: 'Theirs', description: 'My description' })
  })

  it('load the version of another user', async () => {
    const saved = await conflicting(async (page) => {
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Discard mine/ })
        .click()
      await page.getByRole('heading', { level: 1, name: 'Theirs' }).waitFor()
      expect(await title(page).inputValue()).to.equal('Theirs')
    })
    expect(saved).to.include({ title: 'Theirs', description: null })
  })

  it('rename the instance, which the header names', async () => {
    const other = await createPublication(served.service)
    const key = await served.service.keyFor('admin', other.number)
    await served.open(
      `/${other.number}/settings`,
      async (page) => {
        await title(page).fill('The Renamed Test')
        await save(page).click()
        await waitUntilSaved(page)
        await page.getByRole('option', { name: 'The Renamed Test' }).waitFor({ state: 'attached' })
        expect((await other.admin.get('/settings')).object).to.include({ title: 'The Renamed Test' })
      },
      { key },
    )
  })
})
