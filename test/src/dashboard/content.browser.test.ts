/** The editor of content in the dashboard: galleries in the text, and the preview. */
import { expect } from 'chai'
import { before, describe, it } from 'mocha'
import type { Page, Response } from 'playwright-core'
import { createPublication, type Publication } from '../harness/publication.js'
import { pngOf } from '../harness/small-files.js'
import { overflowOf } from '../pages/browser.js'
import { goTo, servedDashboard, waitForPage, type OpenOptions } from './served-dashboard.js'

const photograph = (name: string) => ({ name, mimeType: 'image/png', buffer: Buffer.from(pngOf(80, 60)) })

describe('the editor of content', function () {
  this.timeout(240_000)
  const served = servedDashboard()
  let home: Publication
  let options: OpenOptions
  before(async () => {
    home = await createPublication(served.service)
    options = { key: await served.service.keyFor('editor', home.number) }
  })

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const titlesOf = (page: Page): Promise<readonly string[]> =>
    page
      .getByRole('button', { name: /^Move: / })
      .evaluateAll((handles) => handles.map((handle) => handle.getAttribute('aria-label') ?? ''))

  it('writes an article with a gallery, and reorders its photographs with the keyboard', () =>
    served.open(
      `/${home.number}/content/new?content_type=article`,
      async (page) => {
        await page.getByRole('textbox', { name: 'Title', exact: true }).fill('The harbour')
        await button(page, 'Insert media').click()
        await button(page, 'Add pictures').click()
        const dialog = page.getByRole('dialog')
        await dialog
          .locator('input[type=file]')
          .setInputFiles([photograph('harbour.png'), photograph('market.png')])
        await dialog.getByRole('button', { name: 'Use 2 files' }).click()
        await button(page, 'Move: market.png').waitFor()
        await button(page, 'Create').click()
        await page.getByRole('heading', { level: 1, name: 'The harbour' }).waitFor()
        await waitForPage(page)
        const [first = '', second = ''] = await titlesOf(page)
        expect([first, second].toSorted()).to.deep.equal(['Move: harbour.png', 'Move: market.png'])

        await button(page, first).focus()
        await page.keyboard.press('Space')
        await page.locator('[role=button][aria-pressed=true]').waitFor()
        await page.getByText('is at place 1 of 2.').waitFor({ state: 'attached' })
        await page.keyboard.press('ArrowRight')
        await page
          .getByText(`${first.replace('Move: ', '')} is at place 2 of 2.`)
          .waitFor({ state: 'attached' })
        await page.keyboard.press('Space')
        await page.getByText('Unsaved changes').waitFor()
        expect(await titlesOf(page)).to.deep.equal([second, first])
        await button(page, 'Save').click()
        await page.locator('button:disabled:not([data-loading])', { hasText: 'Save' }).waitFor()

        const path = new URL(page.url()).hash.slice(1)
        await goTo(page, `/${home.number}/sections`)
        await goTo(page, path)
        await button(page, first).waitFor()
        expect(await titlesOf(page)).to.deep.equal([second, first])

        await page.getByRole('radiogroup', { name: 'Edit as' }).first().getByText('Preview').click()
        const gallery = page.getByRole('group', { name: 'Media' })
        await gallery.getByText('market.png').waitFor()
        expect(await gallery.getByRole('figure').count()).to.equal(2)
      },
      options,
    ))

  it('has tools in one stop of the tab key, between which the arrow keys move', () =>
    served.open(
      `/${home.number}/content/new?content_type=article`,
      async (page) => {
        const focused = () => page.evaluate('document.activeElement.getAttribute("aria-label")')
        await page.getByRole('textbox', { name: 'Body' }).fill('Fog')
        await page.keyboard.press('Shift+Tab')
        expect(await focused()).to.equal('Kind of block')
        await page.keyboard.press('ArrowRight')
        await page.keyboard.press('ArrowRight')
        expect(await focused()).to.equal('Italic')
        await page.keyboard.press('End')
        expect(await focused()).to.equal('Undo')
        await page.keyboard.press('Tab')
        await page.keyboard.press('Shift+Tab')
        expect(await focused()).to.equal('Undo')
        await page.keyboard.press('Enter')
        await page.getByRole('textbox', { name: 'Body' }).getByText('Fog').waitFor({ state: 'hidden' })
      },
      options,
    ))

  /** Pastes markup, and a picture if there is one, into the text that is edited. */
  const paste = (page: Page, html: string, base64 = ''): Promise<void> =>
    page.evaluate(`{
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/html', ${JSON.stringify(html)})
      const bytes = Uint8Array.from(atob('${base64}'), (each) => each.charCodeAt(0))
      if (bytes.length > 0) clipboardData.items.add(new File([bytes], 'quay.png', { type: 'image/png' }))
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
      document.querySelector('.ProseMirror').dispatchEvent(event)
    }`)

  it('pastes from Google Docs and Word with pictures, and says which are missing', () =>
    served.open(
      `/${home.number}/content/new?content_type=article`,
      async (page) => {
        const picture = Buffer.from(pngOf(8, 6)).toString('base64')
        const body = page.getByRole('textbox', { name: 'Body' })
        await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Pasted')
        await paste(
          page,
          `<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1"><p dir="ltr"><span style="font-weight:400">Low </span><span style="font-weight:700">tide</span></p></b>` +
            `<p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>·<span>&nbsp; </span></span><![endif]>Nets<o:p></o:p></p>` +
            `<p class=MsoNormal><img src="data:image/png;base64,${picture}"><img src="file:///C:/a.png"><img src="https://lh7.googleusercontent.com/x"></p>`,
        )
        await page.getByText('2 pictures could not be pasted').waitFor()
        await page.getByRole('button', { name: 'Edit: Medium 1' }).waitFor()
        await body.getByText('tide').click()
        await body.press('End')
        await waitForPage(page)
        await paste(page, '', picture)
        await page.getByRole('group', { name: 'Media', exact: true }).nth(1).waitFor()
        await page.getByText('could not be pasted').waitFor({ state: 'hidden' })

        await button(page, 'Create').click()
        await page.getByRole('heading', { level: 1, name: 'Pasted' }).waitFor()
        const { object } = await home.editor.get(`/content/${page.url().split('/').at(-1)}`)
        expect(String(object['content']).replaceAll(/slot id="[^"]*"/g, 'slot')).to.equal(
          '<p>Low <strong>tide</strong></p>\n<slot/>\n<ul><li>Nets</li></ul>\n<slot/>',
        )
        const media = (await home.editor.get(`/content/${String(object['uuid'])}/media`)).object['items']
        expect(media).to.have.length(2)
      },
      options,
    ))

  it('saves no empty paragraph after a list, and undoes after a look at the preview', () =>
    served.open(
      `/${home.number}/content/new?content_type=article`,
      async (page) => {
        const body = page.getByRole('textbox', { name: 'Body' })
        await page.getByRole('textbox', { name: 'Title', exact: true }).fill('List')
        await body.fill('Nets')
        await button(page, 'Bulleted list').click()
        await body.press('End')
        await body.press('Enter')
        await body.press('Enter')
        await waitForPage(page)
        expect(await page.getByRole('combobox', { name: 'Kind of block' }).inputValue()).to.equal('Paragraph')

        await body.pressSequentially('Gone')
        await page.getByText('Preview', { exact: true }).click()
        await page.getByText('Gone').last().waitFor()
        await page.getByText('Rich text', { exact: true }).click()
        await button(page, 'Undo').click()
        await body.getByText('Gone').waitFor({ state: 'detached' })
        await button(page, 'Create').click()
        await page.getByRole('heading', { level: 1, name: 'List' }).waitFor()
        const { object } = await home.editor.get(`/content/${page.url().split('/').at(-1)}`)
        expect(object['content']).to.equal('<ul><li>Nets</li></ul>')
      },
      options,
    ))

  it('keeps related links in their order, shows earlier paths, and leads to the comments', async () => {
    const create = async (title: string): Promise<string> => {
      const { object } = await home.editor.post('/content', {
        content_type: 'article',
        title,
        urlname: title.toLowerCase(),
      })
      return String(object['uuid'])
    }
    const uuid = await create('Ferries')
    served.service.clock.advance(60_000)
    const other = await create('Boats')
    const links = async () => (await home.editor.get(`/content/${uuid}/related_links`)).object['items']
    await served.open(
      `/${home.number}/content/${uuid}`,
      async (page) => {
        await page.getByRole('textbox', { name: 'Address of a page' }).fill('https://example.org/ferries')
        await page.getByRole('textbox', { name: 'Text of the link' }).fill('Timetable')
        await button(page, 'Add the address').click()
        await page.getByRole('link', { name: 'Timetable' }).waitFor()
        await button(page, 'Add content: Choose …').click()
        const picker = page.getByRole('dialog', { name: 'Add content' })
        const boats = picker.getByRole('option', { name: 'Boats' })
        await boats.filter({ hasText: 'Draft' }).locator('time').waitFor()
        // The newest is the first, and the search has the focus.
        expect(await picker.getByRole('option').first().textContent()).to.include('Boats')
        await page.keyboard.type('boats')
        await picker.getByRole('option', { name: 'Ferries' }).waitFor({ state: 'hidden' })
        await boats.click()
        await page.getByRole('link', { name: 'Boats' }).waitFor()
        await button(page, 'Add content: Choose …').click()
        await boats.getByText('Chosen already').waitFor()
        await page.keyboard.press('Escape')
        await picker.waitFor({ state: 'hidden' })
        const isOf = (method: string) => (response: Response) =>
          response.request().method() === method && response.url().includes('/related_links')
        const moved = page.waitForResponse(isOf('PUT')).then(() => page.waitForResponse(isOf('GET')))
        await button(page, 'Later: Link 1').click()
        await moved
        expect(await links()).to.containSubset([
          { type: 'content', uuid: other },
          { type: 'url', link_url: 'https://example.org/ferries', text: 'Timetable' },
        ])
        await home.editor.put(`/content/${uuid}/related_links`, { items: [{ type: 'content', uuid: other }] })
        await button(page, 'Remove: Link 2').click()
        await page.getByText('Somebody else has changed this meanwhile.').waitFor()
        await button(page, 'Remove: Link 2').waitFor({ state: 'hidden' })
        await page.getByRole('textbox', { name: 'Name in addresses' }).fill('ferry-times')
        await button(page, 'Save').click()
        await page.getByText('/ferries/', { exact: true }).waitFor()
        await page.getByRole('link', { name: 'Comments: none published' }).click()
        await button(page, 'Filters (1)').waitFor()
      },
      { ...options, statuses: [412] },
    )
  })

  it('fits on a telephone, with media', async () => {
    const id = '0a5d1c52-6c1e-4d5b-9d0e-0d3c1f7e5a31'
    const { object } = await home.editor.post('/content', {
      content_type: 'article',
      title: 'On a telephone',
      urlname: 'on-a-telephone',
      content: `<p>Text.</p><slot id="${id}"/>`,
    })
    const path = `/content/${String(object['uuid'])}`
    const items = [{ type: 'embed', embed_code: '<b/>', title: 'A song' }]
    await home.editor.put(`${path}/slots/${id}/media`, { items })
    await served.open(
      `/${home.number}${path}`,
      async (page) => {
        await button(page, 'Edit: A song').waitFor()
        expect(await overflowOf(page)).to.equal(0)
        const group = (await page.getByRole('group', { name: 'Media', exact: true }).boundingBox()) ?? {
          x: 0,
          width: 0,
        }
        for (const name of ['Add pictures', 'Add other media', 'Remove the media from the text']) {
          const box = (await button(page, name).boundingBox()) ?? { x: -1, width: 0 }
          expect(box.x, name).to.be.at.least(group.x)
          expect(box.x + box.width, name).to.be.at.most(group.x + group.width)
        }
      },
      { ...options, size: 'telephone' },
    )
  })

  it('shows a script in a text to nobody', () =>
    served.open(
      `/${home.number}/content/new?content_type=article`,
      async (page) => {
        const mode = page.getByRole('radiogroup', { name: 'Edit as' }).first()
        await mode.getByText('Source').click()
        await page
          .getByRole('textbox', { name: 'Body', exact: true })
          .fill(
            '<p onclick="globalThis.ran = true">Read <a href="javascript:globalThis.ran = true">this</a></p>' +
              '<script>globalThis.ran = true</script><iframe src="/"/>',
          )
        await mode.getByText('Preview').click()
        await page.getByText('Read this').click()
        await page.getByText('this', { exact: true }).click()
        expect(await page.evaluate('globalThis.ran')).to.equal(undefined)
        expect(await page.locator('main script, main iframe, main a[href^=javascript]').count()).to.equal(0)
      },
      options,
    ))
})
