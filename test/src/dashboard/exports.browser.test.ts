/** Exports in the dashboard: begun, downloaded, refused, cancelled and deleted. */
import { readFile } from 'node:fs/promises'
import { memoryBlobStore } from '@publishing-service/adapter-memory'
import { tokens } from '@publishing-service/composition-root'
import type { BlobStore } from '@publishing-service/ports'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { objectsOf, rowsOf } from '../harness/expect-response.js'
import { fresh } from '../harness/on-every-store.js'
import { createPublication } from '../harness/publication.js'
import { moduleProviding } from '../harness/start-test-service.js'
import { findingsOn } from '../pages/axe-findings.js'
import { overflowOf } from '../pages/browser.js'
import { servedDashboard, waitForPage } from './served-dashboard.js'

/** A promise that a function resolves. */
const gate = () => {
  let goOn = (): void => undefined
  const wait = new Promise<void>((resolve) => {
    goOn = resolve
  })
  return { wait, goOn: () => goOn() }
}

describe('exports in the dashboard', function () {
  this.timeout(120_000)
  /** What the data of an export waits for before it is written. */
  let untilWritten: Promise<void> = Promise.resolve()
  const store = memoryBlobStore()
  const blobs: BlobStore = {
    ...store,
    write:
      (key, ...written) =>
      async () => {
        if (key.startsWith('exports/')) await untilWritten
        return store.write(key, ...written)()
      },
  }
  const served = servedDashboard({}, { blobs: moduleProviding(tokens.blobs, blobs) })

  it('are begun, downloaded and deleted', async () => {
    const home = await createPublication(served.service)
    await served.open(
      `/${home.number}/exports`,
      async (page) => {
        const dialog = page.getByRole('dialog')
        const rows = page.locator('#content tbody tr')
        await page.getByText('There is no export.').waitFor()
        await page.getByRole('button', { name: 'Export', exact: true }).press('Enter')
        expect(await findingsOn(page)).to.deep.equal([])
        await dialog.getByRole('switch', { name: 'With the history' }).press('Space')
        await dialog.getByRole('button', { name: 'Begin the export' }).click()
        await dialog.waitFor({ state: 'detached' })
        await rows.getByText('Finished', { exact: true }).waitFor()
        await rows.getByText('With the history').waitFor()
        const [made] = rowsOf(await home.admin.get('/exports?fields=uuid,history,bytes', fresh))
        expect(made?.[1]).to.equal(true)
        await page.mouse.move(700, 600)
        await waitForPage(page)
        expect(await findingsOn(page)).to.deep.equal([])

        const [download] = await Promise.all([
          page.waitForEvent('download'),
          rows.getByRole('button', { name: /^Download: Export, / }).click(),
        ])
        expect(download.suggestedFilename()).to.match(/^export-\d+-\d{4}-\d\d-\d\d\.zip$/)
        const data = await readFile(await download.path())
        expect(data.subarray(0, 2).toString()).to.equal('PK')
        expect(data.length).to.equal(made?.[2])

        await page.setViewportSize({ width: 360, height: 800 })
        expect(await overflowOf(page)).to.equal(0)
        await rows.getByRole('button', { name: /^Delete: Export, / }).click()
        await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
        await page.getByText('There is no export.').waitFor()
        expect(objectsOf(await home.admin.get('/exports?fields=uuid,state', fresh))).to.deep.equal([])
      },
      { key: await served.service.keyFor('admin', home.number) },
    )
  })

  it('are cancelled, and no more than three of them wait or run', async () => {
    const home = await createPublication(served.service)
    const { wait, goOn } = gate()
    untilWritten = wait
    await served.open(
      `/${home.number}/exports`,
      async (page) => {
        const dialog = page.getByRole('dialog')
        const rows = page.locator('#content tbody tr')
        const begin = async () => {
          await page.getByRole('button', { name: 'Export', exact: true }).click()
          await dialog.getByRole('button', { name: 'Begin the export' }).click()
        }
        for (const count of [1, 2, 3]) {
          await begin()
          await dialog.waitFor({ state: 'detached' })
          await rows.nth(count - 1).waitFor()
        }
        await rows.last().getByText('Runs').waitFor()
        expect(await rows.getByText('Waits').count()).to.equal(2)
        await begin()
        await dialog.getByRole('alert').getByText('more than the 3 exports').waitFor()
        await page.mouse.move(700, 600)
        expect(await findingsOn(page)).to.deep.equal([])
        await dialog.getByRole('button', { name: 'Cancel' }).click()

        const cancel = rows.last().getByRole('button', { name: /^Cancel the export: Export, / })
        await cancel.click()
        await dialog.getByRole('button', { name: 'Let it go on' }).press('Enter')
        await dialog.waitFor({ state: 'detached' })
        await cancel.click()
        await dialog.getByRole('button', { name: 'Cancel the export' }).click()
        await rows.last().getByText('Cancelled').waitFor()
        expect(
          await rows
            .last()
            .getByRole('button', { name: /^Download/ })
            .count(),
        ).to.equal(0)
        goOn()
        for (const index of [0, 1]) await rows.nth(index).getByText('Finished').waitFor()
        const states = rowsOf(await home.admin.get('/exports?fields=state', fresh)).flat()
        expect(states).to.deep.equal(['finished', 'finished', 'canceled'])
      },
      // Its progress can be written while it is cancelled.
      { key: await served.service.keyFor('admin', home.number), statuses: [400, 412] },
    )
  })

  it('are no page for editors', async () => {
    await served.open(
      '/1/exports',
      async (page) => {
        await page.getByRole('alert').waitFor()
        expect(await page.getByRole('link', { name: 'Exports' }).count()).to.equal(0)
      },
      { key: served.keys.editor },
    )
  })
})
