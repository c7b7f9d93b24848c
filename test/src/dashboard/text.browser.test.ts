/** The text editor in a browser: keys and buttons of lists, pasted lists, where pictures land, and pictures that fail. */
import { expect } from 'chai'
import { before, describe, it } from 'mocha'
import type { Page } from 'playwright-core'
import { uuidOf } from '../harness/expect-response.js'
import { createPublication, type Publication } from '../harness/publication.js'
import { pngOf } from '../harness/small-files.js'
import { servedDashboard, waitForPage, type OpenOptions } from './served-dashboard.js'

const picture = Buffer.from(pngOf(8, 6)).toString('base64')
const damaged = Buffer.from('not a picture').toString('base64')

describe('the text editor', function () {
  this.timeout(240_000)
  const served = servedDashboard()
  let home: Publication
  let options: OpenOptions
  let made = 0
  before(async () => {
    home = await createPublication(served.service)
    options = { key: await served.service.keyFor('editor', home.number) }
  })

  const body = (page: Page) => page.getByRole('textbox', { name: 'Body' })
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const slots = (page: Page) => page.getByRole('group', { name: 'Media', exact: true })
  /** Opens a stored text, and returns what is stored after it was edited and saved; slots without their ids. */
  const edited = async (content: string, use: (page: Page) => Promise<void>, more: OpenOptions = {}) => {
    made += 1
    const article = { content_type: 'article', title: `Text ${made}`, urlname: `text-${made}`, content }
    const uuid = uuidOf(await home.editor.post('/content', article))
    await served.open(
      `/${home.number}/content/${uuid}`,
      async (page) => {
        await use(page)
        await waitForPage(page)
        await button(page, 'Save').click()
        await page.getByText('Saved', { exact: true }).waitFor()
      },
      { ...options, ...more },
    )
    const { object } = await home.editor.get(`/content/${uuid}`)
    return String(object['content']).replaceAll(/slot id="[^"]*"/g, 'slot')
  }
  /** Puts the caret after this many characters of a text. */
  const placeCaret = async (page: Page, text: string, offset: number): Promise<void> => {
    await body(page).getByText(text).click()
    await page.keyboard.press('Home')
    for (let n = 0; n < offset; n += 1) await page.keyboard.press('ArrowRight')
    await waitForPage(page)
  }
  /** Sends an event with markup, or a picture, to what is at the middle of a text or a little to the left of it. */
  const send = (
    page: Page,
    kind: 'paste' | 'drop' | 'dragover',
    { html = '', file = '', text = '' }: { html?: string; file?: string; text?: string },
  ): Promise<void> =>
    page.evaluate(`{
      const data = new DataTransfer()
      if (${JSON.stringify(html)} !== '') data.setData('text/html', ${JSON.stringify(html)})
      const bytes = Uint8Array.from(atob('${file}'), (each) => each.charCodeAt(0))
      if (bytes.length > 0) data.items.add(new File([bytes], 'quay.png', { type: 'image/png' }))
      const target = [...document.querySelectorAll('.ProseMirror p')].find(({ textContent }) => textContent === '${text}')
      const range = document.createRange()
      range.selectNodeContents(target ?? document.querySelector('.ProseMirror'))
      const { left, width, top, height } = range.getBoundingClientRect()
      const place = { clientX: left + width * 0.4, clientY: top + height / 2 }
      const init = { bubbles: true, cancelable: true }
      const event = '${kind}' === 'paste'
        ? new ClipboardEvent('paste', { ...init, clipboardData: data })
        : new DragEvent('${kind}', { ...init, ...place, dataTransfer: data })
      document.querySelector('.ProseMirror').dispatchEvent(event)
    }`)

  it('makes a new item of a list with Enter, wherever the caret is', async () => {
    const list = '<ul><li>hello world</li><li>second item</li></ul>'
    const stored = await edited(list, async (page) => {
      await placeCaret(page, 'hello world', 5)
      await page.keyboard.press('Enter')
      await page.keyboard.type('X')
      await placeCaret(page, 'second item', 7)
      await page.keyboard.press('Enter')
      await page.keyboard.press('End')
      await waitForPage(page)
      await page.keyboard.press('Enter')
      await page.keyboard.type('last')
      await page.keyboard.press('Enter')
      await page.keyboard.press('Enter')
      await page.keyboard.type('After')
    })
    expect(stored).to.equal(
      '<ul><li>hello</li><li>X world</li><li>second </li><li>item</li><li>last</li></ul>\n<p>After</p>',
    )
  })

  it('undoes a list with the button that made it, and changes its kind', async () => {
    const list = '<ul><li>one</li><li>two</li></ul>'
    const undone = await edited(list, async (page) => {
      await placeCaret(page, 'one', 1)
      await page.keyboard.press('Control+a')
      await button(page, 'Numbered list').click()
      await body(page).locator('ol > li').nth(1).waitFor()
      expect(await button(page, 'Numbered list').getAttribute('aria-pressed')).to.equal('true')
      await button(page, 'Numbered list').click()
      await body(page).locator('ol').waitFor({ state: 'detached' })
      await page.keyboard.press('ArrowRight')
      await waitForPage(page)
      await page.keyboard.type('!')
    })
    expect(undone).to.equal('<p>one</p>\n<p>two!</p>')
    const changed = await edited(list, async (page) => {
      await placeCaret(page, 'two', 1)
      await button(page, 'Numbered list').click()
      await page.keyboard.type('-')
    })
    expect(changed).to.equal('<ol><li>one</li><li>t-wo</li></ol>')
  })

  it('keeps all bullets of a list that is pasted', async () => {
    const html = '<meta charset="utf-8"><ul><li>a</li><li>b</li></ul>'
    const replaced = await edited('<p>x</p>', async (page) => {
      await body(page).click()
      await page.keyboard.press('Control+a')
      await page.keyboard.press('Delete')
      await waitForPage(page)
      await send(page, 'paste', { html })
      await page.keyboard.type('!')
    })
    expect(replaced).to.equal('<ul><li>a</li><li>b!</li></ul>')
    const added = await edited('<p>x</p>', async (page) => {
      await placeCaret(page, 'x', 1)
      await page.keyboard.press('Enter')
      await send(page, 'paste', { html })
    })
    expect(added).to.equal('<p>x</p>\n<ul><li>a</li><li>b</li></ul>')
  })

  it('shows every fault of a text on a line of its own', async () => {
    const correct = async (page: Page): Promise<void> => {
      await page.getByText('Source', { exact: true }).first().click()
      const source = page.getByRole('textbox', { name: 'Body' })
      await source.fill('<main>one</main>\n<p align="left">two</p>')
      await button(page, 'Save').click()
      const faults = page.locator('.fault', { hasText: 'found <main>' }).last()
      await faults.waitFor()
      const lines = (await faults.innerText()).split('\n')
      expect(lines.map((line) => /line \d.*?(?=, allowed)/.exec(line)?.[0])).to.deep.equal([
        'line 1, column 1: found <main>',
        'line 2, column 4: found the attribute align of <p>',
      ])
      await source.fill('<p>after</p>')
    }
    const stored = await edited('<p>before</p>', correct, { statuses: [400] })
    expect(stored).to.equal('<p>after</p>')
  })

  it('puts a pasted or dropped picture between blocks, where a line showed it', async () => {
    const text = 'Reporters gathered in the hall.'
    const pasted = await edited(`<p>${text}</p>`, async (page) => {
      await placeCaret(page, text, 8)
      await send(page, 'paste', { file: picture })
      await button(page, 'Edit: Medium 1').waitFor()
    })
    expect(pasted).to.equal(`<slot/>\n<p>${text}</p>`)
    const dropped = await edited(`<p>Before</p><p>${text}</p>`, async (page) => {
      await send(page, 'dragover', { file: picture, text })
      const line = page.locator('.prosemirror-dropcursor-block')
      await line.waitFor()
      const edges = await page
        .locator('.ProseMirror p')
        .evaluateAll((texts) => texts.map((each) => each.getBoundingClientRect()).map(({ top }) => top))
      const { y = 0 } = (await line.boundingBox()) ?? {}
      expect(y).to.be.within((edges[0] ?? 0) + 1, (edges[1] ?? 0) + 2)
      await send(page, 'drop', { file: picture, text })
      await button(page, 'Edit: Medium 1').waitFor()
    })
    expect(dropped).to.equal(`<p>Before</p>\n<slot/>\n<p>${text}</p>`)
    const inserted = await edited(`<p>${text}</p>`, async (page) => {
      await placeCaret(page, text, 28)
      await button(page, 'Insert media').click()
      await slots(page).waitFor()
    })
    expect(inserted).to.equal(`<p>${text}</p>\n<slot/>`)
  })

  it('has no empty slot after a picture was not uploaded, says why, and repeats it at the caret', async () => {
    const uploads = (page: Page) => page.getByRole('status', { name: 'Uploads' })
    const rejected = await edited('<p>Fog</p>', async (page) => {
      await placeCaret(page, 'Fog', 3)
      await send(page, 'paste', { file: damaged })
      await uploads(page).getByText('The picture is damaged').waitFor()
      await slots(page).waitFor({ state: 'detached' })
      await page.keyboard.type('!')
    })
    expect(rejected).to.equal('<p>Fog!</p>')
    let isDown = true
    const repeated = await edited(
      '<p>Fog</p>',
      async (page) => {
        await page.route('**/files', (route) => (isDown ? route.abort() : route.continue()))
        await placeCaret(page, 'Fog', 3)
        await send(page, 'paste', { file: picture })
        const again = button(page, 'Try again: quay.png')
        await again.waitFor()
        await slots(page).waitFor({ state: 'detached' })
        isDown = false
        await again.click()
        await button(page, 'Edit: Medium 1').waitFor()
        await uploads(page).waitFor({ state: 'detached' })
      },
      { statuses: [0] },
    )
    expect(repeated).to.equal('<p>Fog</p>\n<slot/>')
  })
})
