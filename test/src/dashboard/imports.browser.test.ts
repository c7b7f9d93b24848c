/** Imports in the dashboard: tried, made after the trial, reported, cancelled and deleted. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import type { Page } from 'playwright-core'
import { expectOk, objectsOf, rowsOf, uuidOf } from '../harness/expect-response.js'
import { fresh } from '../harness/on-every-store.js'
import { createPublication } from '../harness/publication.js'
import { storeFile } from '../harness/stored-files.js'
import { findingsOn } from '../pages/axe-findings.js'
import { overflowOf } from '../pages/browser.js'
import { servedDashboard, waitForPage } from './served-dashboard.js'

const uuid = (number: number): string => `5d0c7a52-1e4b-4f6a-9d88-${String(number).padStart(12, '0')}`

const line = (number: number, attributes: object): string =>
  JSON.stringify({ collection: 'content', id: uuid(number), attributes })

const article = (number: number, title: string) =>
  line(number, { content_type: 'article', title, urlname: `story-${number}` })

/** An article, one without a type, and one of which an attribute is left out. */
const few = [
  article(1, 'Fog'),
  line(2, { title: 'Haze' }),
  line(3, { content_type: 'article', title: 'Mist', urlname: 'mist', issued: 'yesterday' }),
].join('\n')

/** More than is imported until somebody presses a button. */
const many = Array.from({ length: 100_000 }, (_, number) => article(number + 10, `Story ${number}`)).join(
  '\n',
)

const choose = (page: Page, label: string, option: string) => page.getByLabel(label).selectOption(option)

describe('imports in the dashboard', function () {
  this.timeout(120_000)
  const served = servedDashboard()

  it('are tried, made, reported and deleted', async () => {
    const home = await createPublication(served.service)
    await served.open(
      `/${home.number}/imports`,
      async (page) => {
        const dialog = page.getByRole('dialog')
        const rows = page.locator('#content tbody tr')
        await page.getByText('There is no import.').waitFor()
        await page.getByRole('link', { name: 'Import', exact: true }).press('Enter')

        await page.getByRole('heading', { level: 1, name: 'New import' }).waitFor()
        expect(await page.getByRole('switch', { name: 'Dry run' }).isChecked()).to.equal(true)
        await page.getByRole('button', { name: 'Begin the dry run' }).press('Enter')
        await page.getByRole('alert').getByText('What the file is').waitFor()
        await choose(page, 'What the file is', 'Ghost')
        await page.locator('#content input[type=file]').setInputFiles({
          name: 'objects.jsonl',
          mimeType: 'application/octet-stream',
          buffer: Buffer.from(few),
        })
        await page.getByText('1 of 1 files uploaded').waitFor()
        await page.getByRole('button', { name: 'File: Replace: objects' }).waitFor()
        await page.getByLabel('Address of the website').fill('nowhere')
        await page.getByRole('button', { name: 'Begin the dry run' }).click()
        const fault = page.getByLabel('Address of the website').locator('xpath=../..')
        await fault.getByText('must be a web address').waitFor()
        await page.mouse.move(700, 600)
        expect(await findingsOn(page)).to.deep.equal([])

        await choose(page, 'What the file is', 'Objects of the API')
        expect(await page.getByRole('alert').count()).to.equal(0)
        expect(await page.getByLabel('Address of the website').count()).to.equal(0)
        await page.getByRole('button', { name: 'Begin the dry run' }).click()
        await page.getByRole('heading', { level: 1, name: 'Import: Objects of the API' }).waitFor()
        await page.getByText('Finished', { exact: true }).waitFor()
        await page.getByText('Refused: 1').waitFor()
        await page.getByText('Created: 2').waitFor()
        expect(await page.getByLabel('Outcome').inputValue()).to.equal('refused')
        expect(await rows.count()).to.equal(1)
        await rows.filter({ hasText: 'Haze' }).getByText('line 2').waitFor()
        await choose(page, 'Outcome', 'Any')
        const mist = rows.filter({ hasText: 'Mist' })
        await mist.waitFor()
        expect(await mist.getByRole('link').count()).to.equal(0)
        expect(objectsOf(await home.admin.get('/imports?fields=uuid,state'))).to.have.lengthOf(1)
        await page.mouse.move(700, 600)
        await waitForPage(page)
        expect(await findingsOn(page)).to.deep.equal([])
        const trial = page.url()

        await page.getByRole('button', { name: 'Import now' }).click()
        await page.waitForURL((url) => url.href !== trial)
        await page.getByText('Finished', { exact: true }).waitFor()
        await page.getByText('Created: 2').waitFor()
        expect(await page.getByRole('button', { name: 'Import now' }).count()).to.equal(0)
        expect(expectOk(await home.admin.get(`/content/${uuid(1)}`, fresh)).object).to.include({
          title: 'Fog',
        })
        await choose(page, 'Outcome', 'Created')
        await mist.getByRole('link', { name: 'Mist' }).click()
        await page.getByRole('heading', { level: 1, name: 'Mist' }).waitFor()
        await page.goBack()

        await page.setViewportSize({ width: 360, height: 800 })
        await mist.waitFor()
        expect(await overflowOf(page)).to.equal(0)
        await page.getByRole('button', { name: 'Delete', exact: true }).click()
        await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
        await page.getByRole('heading', { level: 1, name: 'Imports' }).waitFor()
        await rows.getByText('Dry run').waitFor()
        expect(await rows.count()).to.equal(1)
        expect(await overflowOf(page)).to.equal(0)
      },
      { key: await served.service.keyFor('admin', home.number), statuses: [400] },
    )
  })

  it('of tables have what the columns are', async () => {
    const home = await createPublication(served.service)
    const data = Buffer.from('Wo;Strasse\nHafen;Kai\nTurm;Markt\n')
    await storeFile(home.admin, { title: 'Places', filename: 'places.csv', mimetype: 'text/csv', data })
    await served.open(
      `/${home.number}/imports/new`,
      async (page) => {
        await choose(page, 'What the file is', 'Table')
        await page.getByRole('button', { name: 'File: Choose from the library' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Places' }).click()
        await choose(page, 'What the rows are', 'Locations')
        const add = page.getByRole('button', { name: 'Add: Columns' })
        for (const [index, [header, attribute]] of Object.entries({
          Wo: 'title',
          Strasse: 'street',
        }).entries()) {
          await add.press('Enter')
          await page.getByLabel(`Columns ${index + 1}: name`).fill(header)
          await page.getByLabel(`Columns ${index + 1}: value`).fill(attribute)
        }
        await page.mouse.move(700, 600)
        expect(await findingsOn(page)).to.deep.equal([])
        await page.getByRole('switch', { name: 'Dry run' }).press('Space')
        await page.getByRole('button', { name: 'Begin the import' }).click()
        await page.getByText('Created: 2').waitFor()
        await page.getByRole('definition').filter({ hasText: 'Strasse' }).getByText('street').waitFor()
        const found = rowsOf(await home.admin.get('/locations?fields=title,street&order=title'))
        expect(found).to.deep.equal([
          ['Hafen', 'Kai'],
          ['Turm', 'Markt'],
        ])
      },
      { key: await served.service.keyFor('admin', home.number) },
    )
  })

  it('are no page for editors', async () => {
    await served.open(
      '/1/imports',
      async (page) => {
        await page.getByRole('alert').waitFor()
        expect(await page.getByRole('link', { name: 'Imports' }).count()).to.equal(0)
      },
      { key: served.keys.editor },
    )
  })

  it('are cancelled while they run, and their list follows', async () => {
    const home = await createPublication(served.service)
    const { id } = await storeFile(home.admin, { filename: 'objects.jsonl', data: Buffer.from(many) })
    const begun = uuidOf(await home.admin.post('/imports', { kind: 'json', file_uuid: id, dry_run: true }))
    await served.open(
      `/${home.number}/imports`,
      async (page) => {
        const row = page.locator('#content tbody tr')
        await row.getByText('Runs').waitFor()
        await row.getByRole('link').click()
        await page.getByRole('button', { name: 'Cancel the import' }).click()
        const question = page.getByRole('dialog')
        await question.getByRole('button', { name: 'Let it go on' }).press('Enter')
        await question.waitFor({ state: 'detached' })
        await page.getByRole('button', { name: 'Cancel the import' }).click()
        await question.getByRole('button', { name: 'Cancel the import' }).click()
        await page.getByRole('status').getByText('Objects of the API: Cancelled').waitFor()
        // The button that had the focus deletes now.
        await page.getByRole('button', { name: 'Delete', exact: true }).waitFor()
        expect(await page.evaluate('document.activeElement.textContent')).to.equal('Delete')
        expect(expectOk(await home.admin.get(`/imports/${begun}`)).object).to.include({ state: 'canceled' })
        await page.getByRole('link', { name: 'Back to the list' }).click()
        await row.getByText('Cancelled').waitFor()
      },
      // Its progress can be written while it is cancelled.
      { key: await served.service.keyFor('admin', home.number), statuses: [412] },
    )
  })
})
