/** Every page of the dashboard: axe finds no serious violation, and the page is not wider than the window. */
import { join } from 'node:path'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import type { Page } from 'playwright-core'
import { sampleFrom, sampleTitle } from '@publishing-service/conformance'
import { describeModel } from '@publishing-service/dashboard'
import { findingsOn } from '../pages/axe-findings.js'
import { inEachLook, overflowOf } from '../pages/browser.js'
import { goTo, servedDashboard } from './served-dashboard.js'

const { resources } = describeModel()

/** How many collections have their pages examined, which takes two seconds for each. */
const sampled = 4

/** The folder for screenshots. Without it, none are taken. */
const screenshots = process.env['TEST_SCREENSHOTS']

/** Collections whose pages have more than the general list and form. */
const ownControls: ReadonlySet<string> = new Set(['content', 'files', 'sections', 'homepage'])

describe('the pages of the dashboard', function () {
  this.timeout(600_000)
  const served = servedDashboard()

  /**
   * What axe finds, and what is wider than the window, in each look. Axe takes most of the time;
   * the controls and colours of the general list and form are the same for all collections.
   */
  const findingsAt = async (
    page: Page,
    path: string,
    isExaminedInEachLook = true,
  ): Promise<readonly string[]> => {
    const findings: string[] = []
    await inEachLook(page, async (look, isFirst) => {
      if (screenshots !== undefined) {
        // Pictures are loaded after the page.
        await page.waitForTimeout(1500)
        const name = `dashboard${path.replaceAll('/', '-')}-${look}.png`
        await page.screenshot({ path: join(screenshots, name) })
      }
      const found = isFirst || isExaminedInEachLook ? await findingsOn(page) : []
      const overflow = await overflowOf(page)
      findings.push(...found.map((each) => `${path}, ${look}: ${each}`))
      if (overflow > 0) findings.push(`${path}, ${look}: ${overflow} pixels wider than the window`)
    })
    return findings
  }

  it(`have no violation${sampleTitle(sampled, resources.length)}`, () =>
    served.open('/1', async (page) => {
      const findings: string[] = []
      const check = async (path: string, isExaminedInEachLook = true) => {
        await goTo(page, path)
        findings.push(...(await findingsAt(page, path, isExaminedInEachLook)))
      }
      for (const path of [
        '/1',
        '/1/settings',
        '/1/users',
        '/account',
        '/1/audit',
        '/1/trash',
        '/1/webhooks',
        '/1/imports',
        '/1/imports/new',
        '/1/exports',
        '/1/nothing',
      ])
        await check(path)
      for (const { collection } of sampleFrom(resources, sampled)) {
        const hasOwnControls = ownControls.has(collection)
        await check(`/1/${collection}`, hasOwnControls)
        const link = page.locator(`#content a[href^="#/1/${collection}/"]:not([href*="/new"])`).first()
        const object = (await link.count()) === 0 ? null : await link.getAttribute('href')
        // The form of a new object is that of an existing one, with less.
        await check(object === null ? `/1/${collection}/new` : object.slice(1), hasOwnControls)
      }
      expect(findings).to.deep.equal([])
    }))

  it('have no violation for an operator', async () => {
    const key = await served.service.operatorKey()
    await served.open(
      '/service/users',
      async (page) => {
        for (const path of ['/service/users', '/service/instances', '/service/audit']) {
          await goTo(page, path)
          await page.getByRole('heading', { level: 1 }).waitFor()
          expect(await findingsAt(page, path)).to.deep.equal([])
        }
      },
      { key },
    )
  })

  it('have no violation at the sign-in', () =>
    served.open(
      '/',
      async (page) => {
        await page.getByLabel('E-mail').waitFor()
        expect(await findingsAt(page, '/sign-in')).to.deep.equal([])
      },
      { key: null },
    ))

  it('can be read by keyboard: the first link leads to the content', () =>
    served.open('/1/blogs', async (page) => {
      await page.getByRole('link', { name: 'Skip to the content' }).focus()
      await page.keyboard.press('Enter')
      expect(await page.evaluate('document.activeElement.id')).to.equal('content')
      expect(page.url()).to.match(/#\/1\/blogs$/)
    }))

  it('name the window, their heading has the focus, and they and what is saved are announced', () =>
    served.open('/1', async (page) => {
      const focused = () =>
        page.evaluate('document.activeElement.tagName + document.activeElement.textContent')
      expect(await page.title()).to.equal('Overview – The Long Exposure')
      expect(await focused()).to.equal('H1The Long Exposure')
      await page.getByRole('navigation').getByRole('link', { name: 'Blogs' }).press('Enter')
      await page.getByRole('link', { name: 'Notebook' }).waitFor()
      expect(await page.title()).to.equal('Blogs – The Long Exposure')
      expect(await focused()).to.equal('H1Blogs')
      await page.getByRole('link', { name: 'Notebook' }).press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Notebook' }).waitFor()
      expect(await page.title()).to.equal('Notebook – The Long Exposure')
      expect(await focused()).to.equal('H1Notebook')
      const announced = page.getByRole('status')
      expect(await announced.textContent()).to.equal('Notebook')
      await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Notes')
      expect(await announced.textContent()).to.equal('Notebook')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await announced.getByText('Your changes are saved.').waitFor({ state: 'attached' })
    }))
})
