/** Signing in and out, the language, the colours and the instance of the dashboard. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import type { Page } from 'playwright-core'
import { createPublication } from '../harness/publication.js'
import { grantTo, userOfKey } from '../harness/users.js'
import { servedDashboard, signIn, signOut } from './served-dashboard.js'

const storedIn = (page: Page): Promise<string> =>
  page.evaluate(
    'JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie + location.href + JSON.stringify(history.state)',
  )

describe('the sign-in of the dashboard', function () {
  this.timeout(240_000)
  const served = servedDashboard()
  const menu = (page: Page) => page.getByRole('navigation', { name: 'Menu' })

  it('rejects a wrong secret in words, and keeps the key', () =>
    served.open(
      '/',
      async (page) => {
        const { api_key: key } = served.keys.editor
        await signIn(page, { api_key: key, api_secret: 'wrong' })
        await page.getByRole('alert').getByText('does not accept this key and secret').waitFor()
        expect(await page.getByLabel('API key').inputValue()).to.equal(key)
        await signIn(page, served.keys.editor)
        await menu(page).waitFor()
      },
      { key: null, statuses: [400, 401] },
    ))

  it('gives scripts neither token nor secret, writes neither to the log, and lasts in other tabs', () => {
    const { api_secret: secret } = served.keys.editor
    return served.open(
      '/1/blogs',
      async (page) => {
        await signIn(page, served.keys.editor)
        await page.getByRole('link', { name: 'Notebook' }).waitFor()
        const [cookie] = await page.context().cookies()
        expect(cookie).to.include({ httpOnly: true, sameSite: 'Lax' })
        const stored = await storedIn(page)
        const logged = JSON.stringify(served.service.logged())
        for (const word of [secret, cookie?.value ?? '']) {
          expect(stored).to.not.include(word)
          expect(logged).to.not.include(word)
        }
        await page.reload()
        await page.getByRole('link', { name: 'Notebook' }).waitFor()
        const tab = await page.context().newPage()
        await tab.goto(page.url())
        await tab.getByRole('link', { name: 'Notebook' }).waitFor()
        await signOut(tab)
        await page.getByRole('link', { name: 'Settings' }).click()
        await page.getByRole('dialog').getByText('Sign in again').waitFor()
        // As somebody else, in the other tab: the page of the editor sends nothing in that name.
        await signIn(tab, served.keys.admin)
        await menu(tab).waitFor()
        expect(await page.getByRole('dialog').isVisible()).to.equal(true)
        await signIn(page.getByRole('dialog'), served.keys.editor)
        await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
        await tab.getByRole('dialog').getByText('Sign in again').waitFor()
      },
      { key: null, statuses: [401] },
    )
  })

  it('ends with the button, shows nothing afterwards, and ends the session at the service', () =>
    served.open('/1/blogs', async (page) => {
      const [cookie] = await page.context().cookies()
      await signOut(page)
      expect(await page.locator('body').innerText()).to.not.include('Notebook')
      expect(await page.context().cookies()).to.deep.equal([])
      const { url } = served.service
      const { status } = await fetch(`${url}/1/settings`, {
        headers: { Authorization: 'Session', Origin: url, Cookie: `${cookie?.name}=${cookie?.value}` },
      })
      expect(status).to.equal(401)
    }))

  it('opens the page of the address', () =>
    served.open('/1/settings', async (page) => {
      expect(await page.getByRole('heading', { level: 1 }).innerText()).to.equal('Settings')
    }))

  it('speaks the language that the person has chosen, also on another device', async () => {
    const key = served.keys.reader
    const choose = async (page: Page) => {
      await page.getByRole('combobox', { name: 'Language of the interface' }).selectOption('Deutsch')
      await page.getByRole('link', { name: 'Übersicht' }).waitFor()
      expect(await page.evaluate('document.documentElement.lang')).to.equal('de')
    }
    await served.open('/1', choose, { key })
    await served.open('/1', (page) => page.getByRole('link', { name: 'Übersicht' }).waitFor(), { key })
  })

  it('has the colours that are chosen', () =>
    served.open('/1', async (page) => {
      const scheme = () => page.evaluate("document.documentElement.getAttribute('data-mantine-color-scheme')")
      expect(await scheme()).to.equal('light')
      await page.getByRole('button', { name: 'Light or dark' }).click()
      expect(await scheme()).to.equal('dark')
      await page.reload()
      await menu(page).waitFor()
      expect(await scheme()).to.equal('dark')
    }))

  it('creates a key after a confirmation with what it is for, and copies both of its parts at once', async () => {
    const user = await userOfKey(served.service, served.keys.reader)
    await served.open(`/1/users/${user}`, async (page) => {
      await page.getByRole('button', { name: 'Create a key' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('The new key has the roles of').waitFor()
      expect(await dialog.getByText('Copy the secret now').count()).to.equal(0)
      await page.keyboard.type('Laptop of Anna')
      await dialog.getByRole('button', { name: 'Create', exact: true }).click()
      await dialog.getByRole('button', { name: 'Copy key and secret' }).click()
      const copied = String(await page.evaluate('navigator.clipboard.readText()'))
      expect(copied).to.match(/^API key: \S+\nAPI secret: \S+\nhttp:\S+\/dashboard$/)
      await dialog.getByRole('button', { name: 'Done' }).click()
      await page.getByRole('cell', { name: 'Laptop of Anna' }).waitFor()
    })
  })

  it('names the instances, and changes to another with another role', async () => {
    const { service } = served
    const other = await createPublication(service, { title: 'The Evening Test' })
    const key = await service.keyFor('editor', other.number)
    await grantTo(service, await userOfKey(service, key), 1, 'reader')
    await served.open(
      '/1',
      async (page) => {
        await page.getByRole('heading', { level: 1, name: 'The Long Exposure' }).waitFor()
        const select = page.getByLabel('Instance', { exact: true })
        expect(await select.locator('option').allInnerTexts()).to.have.members([
          'The Long Exposure',
          'The Evening Test',
        ])
        await page.getByRole('banner').getByText('Reader', { exact: true }).waitFor()
        await select.selectOption('The Evening Test')
        await page.getByRole('heading', { level: 1, name: 'The Evening Test' }).waitFor()
        await page.getByRole('banner').getByText('Editor', { exact: true }).waitFor()
        expect(page.url()).to.match(new RegExp(`#/${other.number}$`))
      },
      { key },
    )
  })
})
