/** Every page of the dashboard: axe finds no serious violation, and the page is not wider than the window. */
import { join } from 'node:path'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { describeModel } from '@publishing-service/dashboard'
import { findingsOn } from '../pages/axe-findings.js'
import { looks, overflowOf, visit } from '../pages/browser.js'
import { goTo, servedDashboard } from './served-dashboard.js'

const { resources } = describeModel()

/** The folder for screenshots. Without it, none are taken. */
const screenshots = process.env['TEST_SCREENSHOTS']

describe('the pages of the dashboard', function () {
  this.timeout(600_000)
  const served = servedDashboard()

  for (const look of looks)
    it(`have no violation, ${look.colorScheme}, on a ${look.size}`, () =>
      served.open(
        '/1',
        async (page) => {
          const findings: string[] = []
          const check = async (path: string) => {
            await goTo(page, path)
            if (screenshots !== undefined) {
              // Pictures are loaded after the page.
              await page.waitForTimeout(1500)
              const name = path.replaceAll('/', '-')
              await page.screenshot({
                path: join(screenshots, `dashboard${name}-${look.size}-${look.colorScheme}.png`),
              })
            }
            for (const finding of await findingsOn(page)) findings.push(`${path}: ${finding}`)
            const overflow = await overflowOf(page)
            if (overflow > 0) findings.push(`${path}: ${overflow} pixels wider than the window`)
          }
          for (const path of ['/1', '/1/settings', '/1/users', '/1/audit', '/1/nothing']) await check(path)
          for (const { collection } of resources) {
            await check(`/1/${collection}`)
            const link = page.locator(`#content a[href^="#/1/${collection}/"]:not([href*="/new"])`).first()
            const object = (await link.count()) === 0 ? null : await link.getAttribute('href')
            if (object !== null) await check(object.slice(1))
            await check(`/1/${collection}/new`)
          }
          expect(findings).to.deep.equal([])
        },
        look,
      ))

  for (const look of looks)
    it(`have no violation for an operator, ${look.colorScheme}, on a ${look.size}`, async () => {
      const key = await served.service.operatorKey()
      await served.open(
        '/service/users',
        async (page) => {
          for (const path of ['users', 'instances', 'audit']) {
            await goTo(page, `/service/${path}`)
            await page.getByRole('heading', { level: 1 }).waitFor()
            expect(await findingsOn(page), path).to.deep.equal([])
            expect(await overflowOf(page), path).to.equal(0)
          }
        },
        { ...look, key },
      )
    })

  for (const look of looks)
    it(`have no violation at the sign-in, ${look.colorScheme}, on a ${look.size}`, () =>
      served.open(
        '/',
        async (page) => {
          await page.getByLabel('API key').waitFor()
          expect(await findingsOn(page)).to.deep.equal([])
          expect(await overflowOf(page)).to.equal(0)
        },
        { ...look, key: null },
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

  it('are usable', async function () {
    await visit(served.browser, `${served.service.url}/dashboard/`, async ({ page }) => {
      const started = performance.now()
      await page.reload()
      await page.getByLabel('API key').waitFor()
      // Reported, and not checked, because it depends on the load of the machine.
      this.runnable().title += ` after ${Math.round(performance.now() - started)} ms`
    })
  })
})
