/** The file library of the dashboard in a browser. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import type { Page } from 'playwright-core'
import { pngOf } from '../harness/small-files.js'
import { servedPages, visit } from '../pages/browser.js'
import { beginSession } from './served-dashboard.js'

const photograph = (name: string) => ({ name, mimeType: 'image/png', buffer: Buffer.from(pngOf(80, 60)) })

describe('the file library of the dashboard, in a browser', function () {
  this.timeout(120_000)
  const served = servedPages()

  const inLibrary = (use: (page: Page) => Promise<void>): Promise<void> =>
    visit(
      served.browser,
      `${served.service.url}/dashboard/#/1/files`,
      async ({ page }) => {
        await page.getByRole('heading', { name: 'Files' }).waitFor()
        await use(page)
      },
      {
        prepare: async (page) => {
          await page.emulateMedia({ reducedMotion: 'reduce' })
          await beginSession(page, served.service.url, await served.service.keyFor('admin'))
        },
      },
    )

  const upload = (page: Page, ...names: readonly string[]): Promise<void> =>
    page.locator('main input[type=file]').setInputFiles(names.map(photograph))

  it('repeats an upload that failed; the photograph is edited and chosen as a feature image', () =>
    inLibrary(async (page) => {
      let isBroken = true
      await page.route(/\/1\/files\/[^/?]+$/, async (route) => {
        if (!isBroken || route.request().method() !== 'POST') return route.continue()
        isBroken = false
        return route.fulfill({ status: 413, json: { error: 'too_large', message: 'The data is too large.' } })
      })
      await upload(page, 'harbour.png', 'market.png')
      await page.getByText('1 of 2 files uploaded').waitFor()
      await page.getByRole('button', { name: 'Try again: ' }).click()
      await page.getByText('2 of 2 files uploaded').waitFor()
      await page.getByRole('link', { name: 'market' }).waitFor()

      await page.getByRole('link', { name: 'harbour' }).click()
      await page.getByLabel('Title').first().fill('The harbour at night')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('heading', { name: 'The harbour at night' }).waitFor()
      await page.locator('button:disabled:not([data-loading])', { hasText: 'Save' }).waitFor()

      await page.goto(`${served.service.url}/dashboard/#/1/sections`)
      await page.getByRole('link', { name: 'Culture', exact: true }).click()
      await page.getByRole('button', { name: 'Feature image: Replace' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'The harbour at night' }).click()
      await page.getByRole('link', { name: 'The harbour at night' }).waitFor()
      const saved = page.waitForResponse((response) => response.request().method() === 'PATCH')
      await page.getByRole('button', { name: 'Save' }).click()
      expect((await saved).status()).to.equal(200)
    }))

  it('does not upload empty, damaged and HEIC files, and says why', () =>
    inLibrary(async (page) => {
      const file = (name: string, mimeType: string, buffer: Buffer) => ({ name, mimeType, buffer })
      const uploads = page.getByRole('status', { name: 'Uploads' })
      await page
        .locator('main input[type=file]')
        .setInputFiles([
          file('empty.txt', 'text/plain', Buffer.alloc(0)),
          file('photograph.heic', '', Buffer.from('....ftypheic')),
          file('damaged.png', 'image/png', Buffer.from('not a picture')),
        ])
      await uploads.getByText('The file is empty.').waitFor()
      await uploads.getByText('Websites cannot show HEIC pictures.').waitFor()
      await uploads.getByText('The picture is damaged').waitFor()
      await uploads.getByText('0 of 3 files uploaded').waitFor()
      expect(await page.getByRole('link', { name: /empty|photograph|damaged/ }).count()).to.equal(0)
    }))

  it('deletes the selected files', () =>
    inLibrary(async (page) => {
      await upload(page, 'first.png', 'second.png', 'third.png')
      await page.getByRole('checkbox', { name: 'Select “first”' }).check()
      await page.getByRole('checkbox', { name: 'Select “second”' }).check()
      await page.getByText('2 files selected').waitFor()
      await page.getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('link', { name: 'first' }).waitFor({ state: 'detached' })
      expect(await page.getByRole('link', { name: 'second' }).count()).to.equal(0)
      expect(await page.getByRole('link', { name: 'third' }).count()).to.equal(1)
    }))
})
