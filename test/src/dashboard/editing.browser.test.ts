/** Journeys of editors in the dashboard: an article with a gallery, its publication, sections, the homepage, tags and comments. */
import { expect } from 'chai'
import { before, describe, it } from 'mocha'
import type { Page } from 'playwright-core'
import { expectOk } from '../harness/expect-response.js'
import { createPublication, type Publication } from '../harness/publication.js'
import { pngOf } from '../harness/small-files.js'
import { servedDashboard, type OpenOptions } from './served-dashboard.js'

const photograph = (name: string) => ({ name, mimeType: 'image/png', buffer: Buffer.from(pngOf(80, 60)) })

describe('editing in the dashboard', function () {
  this.timeout(240_000)
  const served = servedDashboard({
    STREAMING_HOSTS: JSON.stringify([
      { name: 'video_host_1', aliases: ['our_films'], hosts: ['films.example'] },
    ]),
  })
  let home: Publication
  let options: OpenOptions
  before(async () => {
    home = await createPublication(served.service, { title: 'The Daily Harbour' })
    options = { key: await served.service.keyFor('editor', home.number) }
  })

  const create = async (path: string, body: Record<string, unknown>): Promise<string> => {
    const response = await home.admin.post(path, body as never)
    expectOk(response)
    return String(response.object['uuid'])
  }
  const article = (title: string, more: Record<string, unknown> = {}): Promise<string> =>
    create('/content', {
      content_type: 'article',
      title,
      urlname: title.toLowerCase().replaceAll(' ', '-'),
      ...more,
    })
  const open = (path: string, use: (page: Page) => Promise<void>, more: OpenOptions = {}): Promise<void> =>
    served.open(`/${home.number}${path}`, use, { ...options, ...more })
  const save = (page: Page): Promise<void> => page.getByRole('button', { name: 'Save', exact: true }).click()
  const waitUntilSaved = (page: Page): Promise<void> => page.getByText('Saved', { exact: true }).waitFor()
  const slot = (page: Page) => page.getByRole('group', { name: 'Media', exact: true })
  const mediaTitles = async (content: string): Promise<readonly unknown[]> => {
    const { object } = await home.editor.get(`/content/${content}/media`)
    return (object['items'] as readonly { readonly title: unknown }[]).map(({ title }) => title)
  }

  it('writes an article with a gallery of uploaded photographs, and orders it with buttons', () =>
    open('/content/new?content_type=article', async (page) => {
      await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Größe am Hafen')
      expect(await page.getByRole('textbox', { name: 'Name in addresses' }).inputValue()).to.equal(
        'groesse-am-hafen',
      )
      await page.getByRole('textbox', { name: 'Body' }).pressSequentially('Morning at the quay.')
      await page.getByRole('button', { name: 'Insert media' }).click()
      await slot(page).getByRole('button', { name: 'Add pictures' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.locator('input[type=file]').setInputFiles(['crane.png', 'ferry.png'].map(photograph))
      await dialog.getByRole('button', { name: 'Use 2 files' }).click()
      await slot(page)
        .getByRole('button', { name: /^Later: / })
        .first()
        .click()
      const shown = await slot(page).getByRole('listitem').allInnerTexts()
      await page.getByRole('button', { name: 'Create', exact: true }).click()
      await page.getByRole('heading', { level: 1, name: 'Größe am Hafen' }).waitFor()
      const uuid = page.url().split('/').at(-1) ?? ''
      expect(await mediaTitles(uuid)).to.deep.equal(shown.map((text) => text.trim()))
      expect([...shown].toSorted()).to.have.length(2)
      expect((await home.editor.get(`/content/${uuid}`)).object['content']).to.match(
        /Morning at the quay\..*<slot id="[0-9a-f-]{36}"\/>/s,
      )
      await slot(page)
        .getByRole('button', { name: /^Remove: / })
        .first()
        .click()
      await save(page)
      await waitUntilSaved(page)
      expect(await mediaTitles(uuid)).to.deep.equal([shown[1]?.trim()])
      await page.getByText('Preview', { exact: true }).first().click()
      await page.getByRole('group', { name: 'Body' }).getByText('Morning at the quay.').waitFor()
    }))

  it('keeps media that the service rejects, names the fault, and saves them when it is corrected', async () => {
    const id = '0a5d1c52-6c1e-4d5b-9d0e-0d3c1f7e5a11'
    const uuid = await article('Sounds', { content: `<p>Listen.</p><slot id="${id}"/>` })
    await open(
      `/content/${uuid}`,
      async (page) => {
        await slot(page).getByRole('button', { name: 'Add other media' }).click()
        await page.getByRole('menuitem', { name: 'Embedded markup' }).click()
        const dialog = page.getByRole('dialog')
        await dialog.getByRole('textbox', { name: 'Title' }).fill('A song')
        await dialog.getByRole('textbox', { name: 'Embed code' }).fill('<b>la</b>')
        await dialog.getByText('Source', { exact: true }).click()
        await dialog.getByRole('textbox', { name: 'Body' }).fill('<blink>La</blink>')
        await dialog.getByRole('button', { name: 'Apply' }).click()
        await save(page)
        await page.getByRole('alert').getByText('Medium 1, Body: ').waitFor()
        await slot(page).getByRole('button', { name: 'Edit: A song' }).click()
        await dialog.getByRole('textbox', { name: 'Body' }).fill('<p>La</p>')
        await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click()
        await save(page)
        await waitUntilSaved(page)
        expect(await mediaTitles(uuid)).to.deep.equal(['A song'])
      },
      { statuses: [400] },
    )
  })

  it('finds the provider of a video from its address, and applies nothing that lacks something', async () => {
    const id = '0a5d1c52-6c1e-4d5b-9d0e-0d3c1f7e5a13'
    const uuid = await article('Video', { content: `<p>Look.</p><slot id="${id}"/>` })
    await open(`/content/${uuid}`, async (page) => {
      await slot(page).getByRole('button', { name: 'Add other media' }).click()
      await page.getByRole('menuitem', { name: 'From a streaming host' }).click()
      const dialog = page.getByRole('dialog')
      const provider = dialog.getByRole('combobox', { name: 'Provider' })
      const address = dialog.getByRole('textbox', { name: 'Paste an address' })
      expect(await provider.inputValue()).to.equal('')
      await dialog.getByRole('button', { name: 'Apply' }).click()
      await dialog.getByRole('alert').getByText('Address: is required').waitFor()
      await address.fill('https://films.example/watch?v=1')
      expect(await provider.locator('option:checked').innerText()).to.equal('Our films')
      await dialog.getByRole('button', { name: 'Apply' }).click()
      await dialog.waitFor({ state: 'hidden' })
      await save(page)
      await waitUntilSaved(page)
      const { object } = await home.editor.get(`/content/${uuid}/slots/${id}/media`)
      expect((object['items'] as readonly object[])[0]).to.include({
        url_type: 'video_host_1',
        url: 'https://films.example/watch?v=1',
      })
    })
  })

  it('asks which media to keep if somebody else has changed them', async () => {
    const id = '0a5d1c52-6c1e-4d5b-9d0e-0d3c1f7e5a12'
    const uuid = await article('Two editors', { content: `<p>Text.</p><slot id="${id}"/>` })
    const path = `/content/${uuid}/slots/${id}/media`
    const medium = (title: string) => ({ type: 'embed', embed_code: '<b/>', title })
    expectOk(await home.editor.put(path, { items: [medium('A'), medium('B')] }))
    await open(
      `/content/${uuid}`,
      async (page) => {
        await slot(page).getByRole('button', { name: 'Later: A' }).click()
        expectOk(await home.editor.put(path, { items: [medium('C')] }))
        await save(page)
        await page.getByText('Somebody else has changed these media').waitFor()
        expect(await mediaTitles(uuid)).to.deep.equal(['C'])
        await page.getByRole('button', { name: 'Keep my media, and save again' }).click()
        await save(page)
        await waitUntilSaved(page)
        expect(await mediaTitles(uuid)).to.deep.equal(['B', 'A'])
      },
      { statuses: [412] },
    )
  })

  it('moves sections in their tree', async () => {
    const [first, second, third] = [
      await create('/sections', { title: 'First', urlname: 'first', ord: 1 }),
      await create('/sections', { title: 'Second', urlname: 'second', ord: 2 }),
      await create('/sections', { title: 'Third', urlname: 'third', ord: 3 }),
    ]
    const places = async () =>
      Promise.all(
        [first, second, third].map(async (uuid) => {
          const { ord, parent_uuid } = (await home.editor.get(`/sections/${uuid}`)).object
          return [ord, parent_uuid]
        }),
      )
    const written = (page: Page, uuid: string) =>
      page.waitForResponse(
        (response) => response.request().method() === 'PATCH' && response.url().endsWith(`/${uuid}`),
      )
    await open('/sections', async (page) => {
      const swapped = [written(page, first), written(page, second)]
      await page.getByRole('button', { name: 'Later: First', exact: true }).click()
      await Promise.all(swapped)
      expect(await places()).to.deep.equal([
        [2, null],
        [1, null],
        [3, null],
      ])
      const indented = written(page, third)
      await page.getByRole('button', { name: 'Move below the one before: Third' }).click()
      await indented
      expect((await places())[2]).to.deep.equal([1, first])
      const outdented = written(page, third)
      await page.getByRole('button', { name: 'Move one level up: Third' }).click()
      await outdented
      expect((await places())[2]?.[1]).to.equal(null)

      const last = written(page, second)
      await page.getByRole('button', { name: 'Earlier: Third', exact: true }).click()
      await page.getByRole('button', { name: 'Later: Second', exact: true }).click()
      await last
      expect(await places()).to.deep.equal([
        [3, null],
        [2, null],
        [1, null],
      ])
    })
    await open('/sections', async (page) => {
      expectOk(await home.admin.patch(`/sections/${third}`, { ord: 9 }))
      await page.getByRole('button', { name: 'Later: Third', exact: true }).click()
      await page.getByRole('alert').getByText('Somebody else has changed this meanwhile.').waitFor()
      expect((await places())[2]).to.deep.equal([9, null])
    })
  })

  it('arranges the headlines of the homepage, with a search for stories', async () => {
    const [lead, other] = [
      await article('Lead story', { state: 'published' }),
      await article('Other lighthouse', { state: 'published' }),
    ]
    const { object } = await home.editor.get('/homepage?fields=uuid')
    const [[homepage]] = object['items'] as readonly [readonly [string]]
    const path = `/homepage/${homepage}/headline_stories`
    expectOk(await home.editor.put(path, { auto: false, items: [{ type: 'content', link_uuid: lead }] }))
    await open('/homepage', async (page) => {
      const headlines = page.getByRole('region', { name: 'Headlines' })
      await headlines.getByRole('button', { name: /^Add a story/ }).click()
      await page.getByRole('searchbox', { name: 'Search: Add a story' }).fill('lightho')
      await page.getByRole('option', { name: 'Other lighthouse' }).click()
      await headlines.getByRole('button', { name: 'Earlier: Other lighthouse' }).click()
      await headlines.getByRole('button', { name: 'Save: Headlines' }).click()
      await headlines.locator('button:disabled:not([data-loading])', { hasText: 'Save' }).waitFor()
      const items = (await home.editor.get(path)).object['items'] as readonly { link_uuid: string }[]
      expect(items.map(({ link_uuid }) => link_uuid)).to.deep.equal([other, lead])
    })
  })

  it('attaches a tag to an article, and detaches it', async () => {
    const uuid = await article('Tagged')
    await create('/tags', { last_name_or_title: 'Seagulls', urlname: 'seagulls', state: 'approved' })
    const tags = async () =>
      ((await home.editor.get(`/content/${uuid}/tags`)).object['items'] as readonly { title: string }[]).map(
        ({ title }) => title,
      )
    await open(`/content/${uuid}`, async (page) => {
      await page.getByRole('button', { name: /^Add a tag/ }).click()
      await page.getByRole('option', { name: 'Seagulls' }).click()
      await page.getByRole('button', { name: 'Remove: Seagulls' }).waitFor()
      expect(await tags()).to.deep.equal(['Seagulls'])
      await page.getByRole('button', { name: 'Remove: Seagulls' }).click()
      await page.getByText('No tags yet.').waitFor()
      expect(await tags()).to.deep.equal([])
    })
  })

  it('publishes and hides a comment in the list', async () => {
    const uuid = await article('Discussed', { state: 'published' })
    const comment = await create('/comments', {
      parent_type: 'content',
      parent_uuid: uuid,
      title: 'Well said',
      comment: 'Yes.',
    })
    const state = async () => (await home.editor.get(`/comments/${comment}`)).object['state']
    const initial = await state()
    await open('/comments', async (page) => {
      const [now, then] = initial === 'draft' ? ['Publish', 'Hide'] : ['Hide', 'Publish']
      await page.getByRole('button', { name: `${now}: Well said` }).click()
      await page.getByRole('button', { name: `${then}: Well said` }).waitFor()
      expect(await state()).not.to.equal(initial)
    })
  })

  it('shows a comment with its author before it is published, in its list and on the overview', async () => {
    const uuid = await article('Read first', { state: 'published' })
    const comment = await create('/comments', {
      parent_type: 'content',
      parent_uuid: uuid,
      title: 'A title says little',
      comment: `First line.\n${'More words. '.repeat(300)}Last words.`,
      creator: 'Grete Möwe',
      email: 'grete@example.org',
      state: 'draft',
    })
    const row = (page: Page) => page.getByRole('row').filter({ hasText: 'A title says little' })
    await open('/comments?state=draft', async (page) => {
      await row(page).getByText('Grete Möwe, grete@example.org').waitFor()
      await row(page).getByText('First line.').waitFor()
      await row(page).getByRole('button', { name: 'Show the whole text' }).click()
      await row(page).getByText('Last words.').scrollIntoViewIfNeeded()
      expectOk(await home.admin.patch(`/comments/${comment}`, { edited_comment: 'Shortened by an editor.' }))
    })
    await open('', async (page) => {
      await row(page).getByText('Shortened by an editor.').waitFor()
      await row(page).getByText('Grete Möwe, grete@example.org').waitFor()
    })
  })

  it('replies to a comment, and lists the reply below it', async () => {
    const uuid = await article('Debated', { state: 'published' })
    for (const title of ['The first', 'The second'])
      await create('/comments', { parent_type: 'content', parent_uuid: uuid, title, comment: 'Yes.' })
    await open(`/comments?content=${uuid}&order=tree`, async (page) => {
      await page.getByRole('link', { name: 'Reply: The first' }).click()
      await page.getByRole('textbox', { name: 'Title', exact: true }).fill('An answer')
      await page.getByRole('textbox', { name: 'Comment', exact: true }).fill('No.')
      await page.getByRole('button', { name: 'Create', exact: true }).click()
      await page.getByRole('heading', { level: 1, name: 'An answer' }).waitFor()
    })
    await open(`/comments?content=${uuid}&order=tree`, async (page) => {
      const titles = page.getByRole('table').getByRole('link', { name: /^(The|An) / })
      await titles.nth(2).waitFor()
      expect(await titles.allTextContents()).to.deep.equal(['The first', 'An answer', 'The second'])
      const lefts = await titles.evaluateAll((links) =>
        links.map((link) => link.getBoundingClientRect().left),
      )
      const [first = 0, reply = 0, second = 0] = lefts
      expect(reply).to.be.greaterThan(first)
      expect(second).to.equal(first)
    })
  })

  it('tests where a path leads', async () => {
    await create('/redirects', { pattern: '/old/**', template: '/new/\\1', status: 301, ord: 1 })
    await open(
      '/redirects',
      async (page) => {
        const path = page.getByLabel('Where does a path lead?')
        await path.fill('/old/pier')
        await page.keyboard.press('Enter')
        await page.getByText('It redirects to /new/pier (301).').waitFor()
        await path.fill('/nothing-here')
        await page.keyboard.press('Enter')
        await page.getByText('Nothing has this path.').waitFor()
      },
      { statuses: [404] },
    )
  })

  it('searches everything from the keyboard, and the last words win', async () => {
    await article('Zeppelin over the harbour', { content: '<p>It had a &lt;b&gt; on its side.</p>' })
    await open('', async (page) => {
      await page.getByRole('heading', { level: 1 }).click()
      await page.keyboard.press('Control+k')
      const words = page.getByRole('dialog').getByRole('searchbox')
      await words.pressSequentially('zeppelins')
      await page.getByText('Nothing matches').waitFor()
      await words.press('Backspace')
      const result = page.getByRole('listitem').filter({ hasText: 'Zeppelin over the harbour' })
      expect(await result.locator('mark').first().textContent()).to.equal('Zeppelin')
      await result.getByRole('button').click()
      await page.getByRole('heading', { level: 1, name: 'Zeppelin over the harbour' }).waitFor()
    })
  })
})
