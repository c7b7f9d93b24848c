/** Working together in the dashboard: the review of drafts, queues, and who has an object open. */
import { expect } from 'chai'
import { before, describe, it } from 'mocha'
import type { Page } from 'playwright-core'
import { columnOf, expectOk, objectsOf, uuidOf } from '../harness/expect-response.js'
import { createPublication, type Publication } from '../harness/publication.js'
import { findingsOn } from '../pages/axe-findings.js'
import { waitForFrames } from '../pages/browser.js'
import { goTo, servedDashboard, signIn } from './served-dashboard.js'

describe('working together in the dashboard', function () {
  this.timeout(120_000)
  const served = servedDashboard()
  let home: Publication
  before(async () => {
    home = await createPublication(served.service)
  })

  const fresh = { 'Cache-Control': 'no-cache' }
  const stored = async (path: string) => expectOk(await home.editor.get(path, fresh)).object
  const click = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

  // docs/behaviour/review.md
  it('a contributor asks for a review, and finds in the overview what an editor answers', async () => {
    const contributor = await served.service.keyFor('contributor', home.number)
    await served.open(
      `/${home.number}/content/new?content_type=article`,
      async (page) => {
        await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Fog')
        await click(page, 'Create')
        await page.getByRole('heading', { level: 1, name: 'Fog' }).waitFor()
        const uuid = page.url().split('/').at(-1) ?? ''
        const path = `/content/${uuid}`
        await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Mist')
        const panel = page.getByRole('group', { name: 'Review', exact: true })
        await panel.getByLabel('Note').fill('Please read this')
        await click(page, 'Ready for review')
        await panel.getByText('Please read this').waitFor()
        expect(await stored(path)).to.include({ title: 'Mist', review: 'requested' })
        expect(await findingsOn(page)).to.deep.equal([])

        await served.open(
          `/${home.number}`,
          async (editing) => {
            await editing.getByRole('heading', { name: 'Waiting for review' }).waitFor()
            expect(await findingsOn(editing)).to.deep.equal([])
            await editing.getByRole('link', { name: 'Mist' }).first().click()
            await editing.getByLabel('Note').fill('Shorter')
            await click(editing, 'Ask for changes')
            await editing.getByText('Shorter').waitFor()
          },
          { key: await served.service.keyFor('editor', home.number) },
        )
        const answered = await stored(path)
        expect(answered).to.include({ review: 'changes_requested', review_note: 'Shorter' })
        expect(answered['review_assignee']).to.equal(answered['created_by'])

        await goTo(page, `/${home.number}`)
        await page.getByRole('heading', { name: 'Changes requested' }).waitFor()
        await page.getByRole('heading', { name: 'My drafts' }).waitFor()
        await page.getByRole('link', { name: 'Show all: Changes requested' }).click()
        await page.getByRole('button', { name: 'Filters (2)' }).waitFor()
        await page.getByRole('link', { name: 'Mist' }).waitFor()
      },
      { key: contributor },
    )
  })

  // docs/behaviour/presence.md
  it('a page says who else has its object open, and that it is open itself', async () => {
    const uuid = uuidOf(await home.editor.post('/tags', { last_name_or_title: 'Sand', urlname: 'sand' }))
    const presence = `/tags/${uuid}/presence`
    const [other] = objectsOf(await home.editor.send('PUT', presence))
    await served.open(
      `/${home.number}/tags/${uuid}`,
      async (page) => {
        await page.getByText(`${String(other?.['name'])} has had this open since`).waitFor()
        expect(await findingsOn(page)).to.deep.equal([])
        expect(objectsOf(await home.editor.get(presence))).to.have.lengthOf(2)
        const left = page.waitForResponse((response) => response.request().method() === 'DELETE')
        await goTo(page, `/${home.number}/tags`)
        await left
        expect(objectsOf(await home.editor.get(presence))).to.deep.equal([other])
      },
      { key: await served.service.keyFor('admin', home.number) },
    )
    const [homepage] = columnOf(await home.editor.get('/homepage?fields=uuid'))
    const [arranging] = objectsOf(await home.admin.send('PUT', `/homepage/${String(homepage)}/presence`))
    await served.open(
      `/${home.number}/homepage`,
      async (page) => {
        await page.getByText(`${String(arranging?.['name'])} has had this open since`).waitFor()
      },
      { key: await served.service.keyFor('editor', home.number) },
    )
  })

  it('a page that is only read asks nobody to sign in again, and one with changes does', async () => {
    const uuid = uuidOf(await home.editor.post('/tags', { last_name_or_title: 'Shell', urlname: 'shell' }))
    const presence = `${home.url}/tags/${uuid}/presence`
    const key = await served.service.keyFor('editor', home.number)
    await served.open(
      `/${home.number}/tags/${uuid}`,
      async (page) => {
        const endSession = () => served.service.clock.advance(13 * 60 * 60_000)
        const sent: string[] = []
        page.on('request', (request) => {
          if (request.url() === presence) sent.push(request.method())
        })
        const heartbeat = async (cause: Promise<unknown>, status: number) => {
          const [answered] = await Promise.all([
            page.waitForResponse(
              (response) => response.url() === presence && response.request().method() === 'PUT',
            ),
            cause,
          ])
          expect(answered.status()).to.equal(status)
        }
        const wait = () => page.clock.fastForward(10_000)
        await page.clock.install()
        await heartbeat(page.reload(), 200)
        const name = page.getByRole('textbox', { name: 'Name in addresses' })
        await name.waitFor()
        endSession()
        await heartbeat(wait(), 401)
        const count = sent.length
        await page.clock.fastForward(60_000)
        await waitForFrames(page)
        expect(sent).to.have.lengthOf(count)
        expect(await page.getByRole('dialog').count()).to.equal(0)

        await name.fill('mussel')
        await heartbeat(wait(), 401)
        await page.getByText('Sign in again', { exact: true }).waitFor()
        await signIn(page.getByRole('dialog'), key)
        await page.getByRole('dialog').waitFor({ state: 'hidden' })
        await heartbeat(wait(), 200)
        await page.getByRole('button', { name: 'Discard changes' }).click()
      },
      { key, statuses: [401] },
    )
  })
})
