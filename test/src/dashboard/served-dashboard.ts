/** The dashboard of a service in a browser. A page that complains, or requests anything foreign, fails the test. */
import { expect } from 'chai'
import { after, before } from 'mocha'
import type { Browser, Locator, Page } from 'playwright-core'
import type { IssuedKey } from '@publishing-service/application'
import type { Role } from '@publishing-service/domain'
import { roles } from '@publishing-service/domain/roles'
import {
  combinations,
  startTestService,
  type TestParts,
  type TestService,
} from '../harness/start-test-service.js'
import { openBrowser, visit, waitForFrames, type VisitOptions } from '../pages/browser.js'

/** The status of requests that could not be sent. */
export const unreachable = 0

export type OpenOptions = Pick<VisitOptions, 'size'> & {
  /** The key that signs in; null for none. Default: an admin's. */
  readonly key?: IssuedKey | null
  /** Where the service is. Default: its own address. */
  readonly url?: string
  /** The statuses from 400 that responses may have. */
  readonly statuses?: readonly number[]
}

export type ServedDashboard = {
  readonly service: TestService
  readonly browser: Browser
  readonly keys: Readonly<Record<Role, IssuedKey>>
  /** Opens the page at this path after `#`, signed in, and closes it after the work. */
  readonly open: (path: string, use: (page: Page) => Promise<void>, options?: OpenOptions) => Promise<void>
}

/** Signs in with a form of the page, with words in English. */
export const signIn = async (
  page: Page | Locator,
  { api_key: key, api_secret: secret }: IssuedKey,
): Promise<void> => {
  const other = page.getByRole('button', { name: 'Sign in with an API key' })
  const label = page.getByLabel('API key')
  await label.or(other).first().waitFor()
  if (await other.isVisible()) await other.click()
  await label.fill(key)
  await page.getByLabel('API secret').fill(secret)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Signs out with the menu of the person. */
export const signOut = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'account and sign out' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
}

/** Gives the browser of a page the cookie of a session, without the form. */
export const beginSession = async (page: Page, url: string, key: IssuedKey): Promise<void> => {
  const { api_key, api_secret } = key
  const response = await page.request.post(`${url}/sign-in/key`, { data: { api_key, api_secret } })
  expect(response.status()).to.equal(200)
}

/** What the console reports of a response from 400; its status is checked instead. */
const isResponseReport = (text: string): boolean => text.startsWith('Failed to load resource')

/** Waits until the page has loaded its data, and the parts that are loaded when they are first needed. */
export const waitForPage = async (page: Page): Promise<void> => {
  for (const _part of ['data', 'editor']) {
    await waitForFrames(page)
    for (const loader of await page.getByLabel('Loading …').all()) await loader.waitFor({ state: 'hidden' })
  }
}

/** Opens the page at this path after `#`. Changes that are not saved are left. */
export const goTo = async (page: Page, path: string): Promise<void> => {
  await page.evaluate(`location.hash = ${JSON.stringify(path)}`)
  await waitForFrames(page)
  const leave = page.getByRole('dialog').getByRole('button', { name: 'Leave' })
  if (await leave.isVisible()) await leave.click()
  await waitForPage(page)
}

const openDashboard = (
  browser: Browser,
  url: string,
  path: string,
  use: (page: Page) => Promise<void>,
  { key, statuses = [], size = 'desktop' }: Omit<OpenOptions, 'url'>,
): Promise<void> => {
  const isSignedIn = key !== null && key !== undefined
  const rejected: string[] = []
  const record = (status: number, method: string, address: string) => {
    if (!statuses.includes(status)) rejected.push(`${status} ${method} ${address}`)
  }
  return visit(
    browser,
    `${url}/dashboard/#${path}`,
    async ({ page, complaints, foreign }) => {
      if (isSignedIn) {
        await page.locator('#content').waitFor()
        await waitForPage(page)
      }
      await use(page)
      expect(complaints.filter((text) => !isResponseReport(text))).to.deep.equal([])
      expect(foreign).to.deep.equal([])
      expect(rejected).to.deep.equal([])
    },
    {
      size,
      prepare: async (page) => {
        // Dialogs open and close at once.
        await page.emulateMedia({ reducedMotion: 'reduce' })
        page.on('response', (response) => {
          const method = response.request().method()
          // So the page finds out that nobody is signed in.
          const asks = !isSignedIn && response.status() === 401 && response.url() === `${url}/me`
          if (response.status() >= 400 && !asks) record(response.status(), method, response.url())
        })
        page.on('requestfailed', (request) => {
          // The page cancels requests whose response it no longer needs.
          if (request.failure()?.errorText !== 'net::ERR_ABORTED')
            record(unreachable, request.method(), request.url())
        })
        if (isSignedIn) await beginSession(page, url, key)
      },
    },
  )
}

/** A browser and a service with the sample, a key of each role, these variables and these parts, for the tests of one `describe`. */
export const servedDashboard = (
  environment: Readonly<Record<string, string>> = {},
  parts: TestParts = {},
): ServedDashboard => {
  let browser: Browser
  let service: TestService
  let keys: Readonly<Record<Role, IssuedKey>>
  before(async () => {
    browser = await openBrowser()
    service = await startTestService(
      { ...combinations[0]?.environment, ...environment },
      { recorded: 'info', ...parts },
    )
    const entries = await Promise.all(roles.map(async (role) => [role, await service.keyFor(role)] as const))
    keys = Object.fromEntries(entries) as typeof keys
  })
  after(() => service.stop())
  return {
    get browser() {
      return browser
    },
    get service() {
      return service
    },
    get keys() {
      return keys
    },
    open: (path, use, { key = keys.admin, url = service.url, ...options } = {}) =>
      openDashboard(browser, url, path, use, { key, ...options }),
  }
}
