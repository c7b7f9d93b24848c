/** People in the dashboard: invitations, links, passwords, the own account, and users that are disabled. */
import { join } from 'node:path'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { Secret, TOTP } from 'otpauth'
import type { Locator, Page } from 'playwright-core'
import { pngOf } from '../harness/small-files.js'
import { newUser, grantTo } from '../harness/users.js'
import { findingsOn } from '../pages/axe-findings.js'
import { inEachLook, waitForFrames } from '../pages/browser.js'
import { goTo, servedDashboard, signOut } from './served-dashboard.js'

const minute = 60_000
const password = 'violet harbour seldom kettle'
const another = 'kettle seldom harbour violet'

const screenshots = process.env['TEST_SCREENSHOTS']

/** What axe finds on a page in each look. */
const findingsIn = async (page: Page, name: string): Promise<readonly string[]> => {
  const findings: string[] = []
  await inEachLook(page, async (look) => {
    if (screenshots !== undefined)
      await page.screenshot({ path: join(screenshots, `dashboard-${name}-${look}.png`) })
    findings.push(...(await findingsOn(page)))
  })
  return findings
}

const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true })
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

/** The link that a dialog shows. */
const shownLink = async (page: Page): Promise<string> => {
  const dialog = page.getByRole('dialog')
  const link = (await dialog.getByText('/dashboard/#/link/').innerText()).trim()
  await button(dialog, 'Done').click()
  return link
}

const signIn = async (within: Page | Locator, email: string, secret: string): Promise<void> => {
  // The page of the account has a field for the address too, until the sign-in is shown.
  await button(within, 'Sign in').waitFor()
  await within.getByLabel('E-mail').fill(email)
  await within.getByRole('textbox', { name: 'Password' }).fill(secret)
  await button(within, 'Sign in').click()
}

/** Resolves when the page asks for a passkey. */
const untilAsked = `new Promise((resolve) => {
  const { credentials } = navigator
  credentials.get = (...how) => {
    delete credentials.get
    resolve()
    return credentials.get(...how)
  }
})`

describe('people in the dashboard', function () {
  this.timeout(240_000)
  const served = servedDashboard()

  /** An editor whose account is set up, with its address. */
  const editor = async (name: string): Promise<{ uuid: string; email: string }> => {
    const { service } = served
    const uuid = await newUser(service, name)
    await grantTo(service, uuid, 1, 'editor')
    const email = `${name.toLowerCase()}@example.org`
    const { token } = await service.useCases.signInLinks.create(uuid, 'invitation')
    const { status } = await fetch(`${service.url}/sign-in/link/use`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token, email, password }),
    })
    expect(status).to.equal(200)
    return { uuid, email }
  }

  it('are invited, set up their account, and stay signed in; a used link says what to do', async () => {
    let link = ''
    await served.open('/1/users', async (page) => {
      await button(page, 'Invite a person').click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Name').fill('Ada Byron')
      await dialog.getByLabel('E-mail').fill('ada@example.org')
      await button(dialog, 'Create the invitation').click()
      link = await shownLink(page)
      await page.getByRole('link', { name: 'Ada Byron' }).waitFor()
    })
    await served.open(
      '/',
      async (page) => {
        await page.goto(link)
        await heading(page, 'Welcome, Ada Byron').waitFor()
        expect(await findingsIn(page, 'invitation')).to.deep.equal([])
        await page.setViewportSize({ width: 1280, height: 900 })
        await page.getByLabel('New password').fill('password1234')
        await button(page, 'Set up the account').click()
        await page.getByText('It is easily guessed').waitFor()
        await page.getByLabel('New password').fill(password)
        await button(page, 'Set up the account').click()
        await heading(page, 'The Long Exposure').waitFor()
        await page.getByText('Ada Byron').waitFor()
        await page.reload()
        await heading(page, 'The Long Exposure').waitFor()
        await page.goto(link)
        await heading(page, 'This link cannot be used any more').waitFor()
        expect(await findingsIn(page, 'used-link')).to.deep.equal([])
      },
      { key: null, statuses: [400, 410] },
    )
  })

  it('get in again with a reset, and not while they are disabled', async () => {
    const { uuid, email } = await editor('Grace')
    let link = ''
    const act = async (page: Page, name: string) => {
      await page.getByRole('button', { name }).click()
      await page.getByRole('dialog').getByRole('button').last().click()
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
    }
    await served.open(`/1/users/${uuid}`, async (page) => {
      await act(page, 'Disable')
      await page.getByText('Disabled', { exact: true }).waitFor()
    })
    await served.open(
      '/',
      async (page) => {
        await signIn(page, email, password)
        await page.getByRole('alert').getByText('You cannot sign in with this').waitFor()
        await served.open(`/1/users/${uuid}`, async (admin) => {
          await act(admin, 'Enable')
          await button(admin, 'Create a link').click()
          await button(admin.getByRole('dialog'), 'Create').click()
          link = await shownLink(admin)
        })
        await page.goto(link)
        await heading(page, 'Set a new password').waitFor()
        await page.getByLabel('New password').fill(another)
        await button(page, 'Set the password and sign in').click()
        await heading(page, 'The Long Exposure').waitFor()
      },
      { key: null, statuses: [401] },
    )
  })

  it('see in their account that they have no role, and work once they have one', async () => {
    const { uuid, email } = await editor('Rosalind')
    await served.service.useCases.administerUsers.changeOwn(
      uuid,
      (user) => ({ ...user, roles: [] }),
      (_change, write) => write([]),
    )
    await served.open(
      '/',
      async (page) => {
        await signIn(page, email, password)
        await heading(page, 'My account').waitFor()
        await page.getByText('You have no role on any instance').waitFor()
        await grantTo(served.service, uuid, 1, 'editor')
        served.service.clock.advance(5000)
        await page.reload()
        await heading(page, 'The Long Exposure').waitFor()
      },
      { key: null },
    )
  })

  it('save what they typed after the session has ended, with their password', async () => {
    const { email } = await editor('Mary')
    await served.open(
      '/1/blogs',
      async (page) => {
        await signIn(page, email, password)
        await page.getByRole('link', { name: 'Notebook' }).click()
        const title = page.getByRole('textbox', { name: 'Title', exact: true })
        await title.fill('Typed by Mary')
        served.service.clock.advance(13 * 60 * minute)
        await button(page, 'Save').click()
        const dialog = page.getByRole('dialog')
        expect(await dialog.getByLabel('E-mail').inputValue()).to.equal(email)
        await signIn(dialog, email, password)
        await page.getByText('Saved', { exact: true }).waitFor()
        expect(await title.inputValue()).to.equal('Typed by Mary')
      },
      { key: null, statuses: [401] },
    )
  })

  it('change their account: picture, address and password after a recent sign-in, other sessions', async () => {
    const { email } = await editor('Hedy')
    await served.open(
      '/account',
      async (page) => {
        await signIn(page, email, password)
        await heading(page, 'My account').waitFor()
        await page.getByText('This device').waitFor()
        const other = page.getByRole('row').filter({ hasText: 'with a link' })
        await button(other, 'End: node').click()
        await other.waitFor({ state: 'hidden' })

        const picture = { name: 'me.png', mimeType: 'image/png', buffer: Buffer.from(pngOf(640, 400)) }
        await page.locator('#content input[type=file]').setInputFiles(picture)
        await page.getByRole('banner').locator('img[src^="data:image/webp"]').waitFor({ state: 'attached' })

        served.service.clock.advance(16 * minute)
        await page.getByLabel('E-mail').fill('hedy.l@example.org')
        await button(page, 'Save').click()
        const dialog = page.getByRole('dialog')
        await button(dialog, 'Cancel').click()
        await page.getByText('nobody has signed in again').waitFor()
        await button(page, 'Save').click()
        await signIn(dialog, email, password)
        await dialog.waitFor({ state: 'hidden' })
        await page.getByLabel('New password').fill(another)
        await button(page, 'Change the password').click()
        await page.getByRole('status').getByText('Your changes are saved.').waitFor({ state: 'attached' })

        await button(page, 'Sign out everywhere').click()
        await page.getByRole('dialog').getByRole('button').last().click()
        await signIn(page, 'hedy.l@example.org', another)
        await heading(page, 'My account').waitFor()
      },
      { key: null, statuses: [403] },
    )
  })

  it('see that their address is not confirmed, and confirm it with the mailed link', async () => {
    const { uuid, email } = await editor('Lise')
    const { signInLinks } = served.service.useCases
    await served.open(
      '/account',
      async (page) => {
        await signIn(page, email, password)
        await page.getByText('The service sends no mail').waitFor()
        const { token } = await signInLinks.create(uuid, 'confirmation', undefined, { email })
        await page.reload()
        await page.getByText(`We have sent a mail to ${email}`).waitFor()
        expect(await findingsIn(page, 'unconfirmed')).to.deep.equal([])
        await goTo(page, '/confirm/another-token')
        const confirm = button(page, 'Confirm the e-mail address')
        await confirm.click()
        await page.getByText('This link cannot be used').waitFor()
        expect(await findingsIn(page, 'confirmation')).to.deep.equal([])
        await signOut(page)
        await goTo(page, `/confirm/${token}`)
        await signIn(page, email, password)
        await confirm.click()
        await confirm.waitFor({ state: 'hidden' })
        await page.getByText('Not confirmed', { exact: true }).waitFor({ state: 'hidden' })
      },
      { key: null, statuses: [410] },
    )
  })

  it('have an address that an administrator confirms', async () => {
    const { uuid, email } = await editor('Chien')
    await served.open('/1/users', async (page) => {
      await page.getByText(`${email} · Not confirmed`).waitFor()
      await goTo(page, `/1/users/${uuid}`)
      await button(page, 'Confirm the address').click()
      await button(page.getByRole('dialog'), 'Confirm the address').click()
      await page.getByText('Not confirmed', { exact: true }).waitFor({ state: 'hidden' })
    })
    const { administerUsers } = served.service.useCases
    const rights = { operator: true, roles: [] }
    const found = await administerUsers.find(rights, uuid)
    expect(found).to.include({ email, email_confirmed: true })
  })

  it('set up their account with a passkey, sign in with it, and with one that the browser offers', async () => {
    const { service } = served
    // Browsers have no passkeys of addresses.
    const url = service.url.replace('127.0.0.1', 'localhost')
    const uuid = await newUser(service, 'Radia')
    await grantTo(service, uuid, 1, 'editor')
    const { token } = await service.useCases.signInLinks.create(uuid, 'invitation')
    await served.open(
      `/link/${token}`,
      async (page) => {
        const devices = await page.context().newCDPSession(page)
        await devices.send('WebAuthn.enable')
        const { authenticatorId } = await devices.send('WebAuthn.addVirtualAuthenticator', {
          options: {
            protocol: 'ctap2',
            transport: 'internal',
            hasResidentKey: true,
            hasUserVerification: true,
            isUserVerified: true,
            automaticPresenceSimulation: true,
          },
        })
        await page.getByLabel('E-mail').fill('radia@example.org')
        await button(page, 'Continue with a passkey').click()
        await heading(page, 'The Long Exposure').waitFor()
        await goTo(page, '/account')
        await page.getByRole('row').filter({ hasText: 'with a link' }).waitFor()
        await button(page, 'Add a passkey').click()
        await page.getByText('No passkey was chosen or created.').waitFor()
        await page.getByText('Your only way in').waitFor()
        await page.getByRole('button', { name: 'Rename: ' }).click()
        await page.getByRole('dialog').getByLabel('Name of the passkey').fill('The blue key')
        await page.keyboard.press('Enter')
        await page.getByRole('cell', { name: 'The blue key', exact: true }).waitFor()
        await page.getByLabel('New password').fill(password)
        await button(page, 'Set the password').click()
        await button(page, 'Remove: The blue key').waitFor()

        /** Whether the authenticator answers what it is asked from now on. */
        const answer = (enabled: boolean) =>
          devices.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
        const signOutToOffer = async () => {
          await answer(false)
          const offered = page.evaluate(untilAsked)
          await signOut(page)
          await offered
          await waitForFrames(page)
          await answer(true)
        }
        await signOutToOffer()
        await button(page, 'Sign in with a passkey').click()
        await page.getByRole('row').filter({ hasText: 'with a passkey' }).waitFor()
        // Offered again before the service does not accept the first offer any more.
        await page.clock.install()
        await signOutToOffer()
        service.clock.advance(5 * minute)
        await page.clock.fastForward(5 * minute)
        await page.getByRole('row').filter({ hasText: 'with a passkey' }).waitFor()
      },
      { key: null, url },
    )
  })

  it('add one-time codes, and sign in with a recovery code, also after they forgot their password', async () => {
    const { uuid, email } = await editor('Joan')
    const { signInLinks } = served.service.useCases
    await served.open(
      '/account',
      async (page) => {
        await signIn(page, email, password)
        await button(page, 'Set up one-time codes').click()
        const dialog = page.getByRole('dialog')
        await dialog.getByAltText('QR code').waitFor()
        const secret = Secret.fromBase32(await dialog.getByText(/^[A-Z2-7]{20,}$/).innerText())
        const code = dialog.getByLabel('One-time code')
        await code.fill('000000')
        await button(dialog, 'Activate').click()
        await dialog.getByText('This is not the current code.').waitFor()
        await code.fill(new TOTP({ secret }).generate({ timestamp: served.service.clock.now() }))
        await button(dialog, 'Activate').click()
        const [recovery = '', next = ''] = (await dialog.locator('pre').innerText()).split('\n')
        await button(dialog, 'Done').click()
        await page.getByText('10 recovery codes are left').waitFor()
        await signOut(page)
        await signIn(page, email, password)
        await page.getByLabel('One-time code').fill(recovery)
        await button(page, 'Sign in').click()
        await page.getByText('9 recovery codes are left').waitFor()
        expect(await findingsIn(page, 'account')).to.deep.equal([])
        const { token } = await signInLinks.create(uuid, 'forgotten')
        await signOut(page)
        await goTo(page, `/link/${token}`)
        await page.getByLabel('New password').fill(another)
        await button(page, 'Set the password and sign in').click()
        await page.getByText('The new password is set.').waitFor()
        expect(await findingsIn(page, 'half-way')).to.deep.equal([])
        await button(page, 'Sign in').click()
        await signIn(page, email, another)
        await page.getByLabel('One-time code').fill(next)
        await button(page, 'Sign in').click()
        await heading(page, 'The Long Exposure').waitFor()
      },
      { key: null, statuses: [400, 401] },
    )
  })

  it('see the providers with which they sign in, and remove one', async () => {
    const { email } = await editor('Katherine')
    const { url } = served.service
    let items = [
      {
        id: 'a',
        provider: 'https://id.example.org/news',
        created: '2026-03-01T12:00:00.000Z',
        last_used: null,
      },
    ]
    await served.open(
      '/account',
      async (page) => {
        await page.route(`${url}/account`, async (route) => {
          const response = await route.fetch()
          await route.fulfill({ response, json: { ...(await response.json()), identities: items.length } })
        })
        await page.route(`${url}/account/identities{,/a}`, (route) => {
          if (route.request().method() === 'DELETE') items = []
          return route.fulfill({ json: { items } })
        })
        await signIn(page, email, password)
        await page.getByRole('cell', { name: 'id.example.org/news', exact: true }).waitFor()
        await button(page, 'Remove: id.example.org/news').click()
        await page.getByRole('dialog').waitFor()
        expect(await findingsOn(page)).to.deep.equal([])
        await button(page.getByRole('dialog'), 'Remove').click()
        await page.getByRole('heading', { name: 'Sign-in with a provider' }).waitFor({ state: 'detached' })
      },
      { key: null },
    )
  })

  it('are led to the provider, if there is one, read why it has led them back, and ask for a link', () =>
    served.open(
      '/1/blogs',
      async (page) => {
        const ways = {
          password: true,
          passkey: true,
          key: true,
          mail: true,
          provider: 'Sign in with the newsroom',
        }
        await page.route(`${served.service.url}/sign-in`, (route) => route.fulfill({ json: ways }))
        await page.reload()
        const provider = page.getByRole('link', { name: ways.provider })
        expect(await provider.getAttribute('href')).to.match(/\/sign-in\/provider\?to=%2F1%2Fblogs$/)
        expect(await findingsIn(page, 'sign-in')).to.deep.equal([])
        await goTo(page, '/sign-in?error=account_disabled')
        await page.getByRole('alert').getByText('This account is disabled.').waitFor()
        await button(page, 'Forgot your password?').click()
        await page.getByLabel('E-mail').fill('nobody@example.org')
        await button(page, 'Mail me a link').click()
        await page.getByText('If an account with a password has this address').waitFor()
      },
      { key: null },
    ))
})
