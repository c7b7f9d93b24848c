/** Signing in and out, the language, the colours and the instance of the dashboard. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import type { Page } from 'playwright-core'
import { createPublication } from '../harness/publication.js'
import { grantTo, userOfKey } from '../harness/users.js'
import { servedDashboard, signIn } from './served-dashboard.js'

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

  it('stores neither token nor secret, and writes neither to the log', () => {
    const { api_secret: secret } = served.keys.editor
    const tokens: string[] = []
    return served.open(
      '/1/blogs',
      async (page) => {
        page.on('request', (request) => {
          const [, token] = request.headers()['authorization']?.split(' ') ?? []
          if (token !== undefined) tokens.push(token)
        })
        await signIn(page, served.keys.editor)
        await page.getByRole('link', { name: 'Notebook' }).waitFor()
        const stored = await storedIn(page)
        const logged = JSON.stringify(served.service.logged())
        expect(tokens).to.not.deep.equal([])
        for (const word of [secret, ...tokens]) {
          expect(stored).to.not.include(word)
          expect(logged).to.not.include(word)
        }
        await page.reload()
        await page.getByLabel('API key').waitFor()
      },
      { key: null },
    )
  })

  it('ends with the button, shows nothing afterwards, and ends the token at the service', () =>
    served.open('/1/blogs', async (page) => {
      const used = page.waitForRequest((request) => request.url().endsWith('/1/settings'))
      await page.getByRole('link', { name: 'Settings' }).click()
      const { authorization = '' } = (await used).headers()
      const revoked = page.waitForResponse((response) => response.url().endsWith('/oauth/revoke'))
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByLabel('API key').waitFor()
      expect(await page.locator('body').innerText()).to.not.include('Notebook')
      expect((await revoked).status()).to.equal(200)
      const { status } = await fetch(`${served.service.url}/1/settings`, { headers: { authorization } })
      expect(status).to.equal(401)
    }))

  it('opens the page of the address', () =>
    served.open('/1/settings', async (page) => {
      expect(await page.getByRole('heading', { level: 1 }).innerText()).to.equal('Settings')
    }))

  it('speaks the language that is chosen, also after it is loaded again', () =>
    served.open('/1', async (page) => {
      await page.getByRole('combobox', { name: 'Language of the interface' }).selectOption('Deutsch')
      await page.getByRole('link', { name: 'Übersicht' }).waitFor()
      expect(await page.evaluate('document.documentElement.lang')).to.equal('de')
      await page.reload()
      await page.getByRole('button', { name: 'Anmelden' }).waitFor()
    }))

  it('has the colours that are chosen', () =>
    served.open('/1', async (page) => {
      const scheme = () => page.evaluate("document.documentElement.getAttribute('data-mantine-color-scheme')")
      expect(await scheme()).to.equal('light')
      await page.getByRole('button', { name: 'Light or dark' }).click()
      expect(await scheme()).to.equal('dark')
      await page.reload()
      await page.getByLabel('API key').waitFor()
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
        await page.getByRole('banner').getByText('Reader').waitFor()
        await select.selectOption('The Evening Test')
        await page.getByRole('heading', { level: 1, name: 'The Evening Test' }).waitFor()
        await page.getByRole('banner').getByText('Editor').waitFor()
        expect(page.url()).to.match(new RegExp(`#/${other.number}$`))
      },
      { key },
    )
  })
})
