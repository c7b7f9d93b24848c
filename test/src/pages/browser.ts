/** A browser for tests, which records the errors on its pages. */
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { after, before } from 'mocha'
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from 'playwright-core'
import { startTestService, type TestService } from '../harness/start-test-service.js'

/** The shell has no window, and starts and draws faster. */
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']

const executable = (): string => {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const found = names.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync)
  if (found === undefined)
    throw new Error(
      'There is no Chromium. On Debian: apt-get install --no-install-recommends chromium-headless-shell',
    )
  return found
}

let launched: Promise<Browser> | null = null

/** The browser of all tests of a process. */
export const openBrowser = (): Promise<Browser> =>
  (launched ??= chromium.launch({
    executablePath: executable(),
    // The sandbox of Chromium does not work for root, which runs tests in containers.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  }))

after(async () => {
  await (await launched)?.close()
})

/** The timeout of page operations in milliseconds, for a machine with a high load. */
const timeout = 100_000

const sizes = {
  desktop: { width: 1280, height: 900 },
  telephone: { width: 390, height: 800 },
} as const

/** How pages are displayed. */
const looks = [
  { size: 'desktop', colorScheme: 'light' },
  { size: 'telephone', colorScheme: 'dark' },
] as const

/** A new profile. */
export const openProfile = async (
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> => {
  const context = await browser.newContext(options)
  context.setDefaultTimeout(timeout)
  return context
}

export type Visit = {
  readonly page: Page
  readonly close: () => Promise<void>
  /** Errors and warnings of the console, uncaught errors, and policy violations. */
  readonly complaints: readonly string[]
  /** The requested addresses outside of the service. */
  readonly foreign: readonly string[]
}

export type VisitOptions = {
  readonly size?: keyof typeof sizes
  /** Is done before the page is opened, such as a sign-in. */
  readonly prepare?: (page: Page) => Promise<void>
}

/** Opens a page in a new profile. */
export const openVisit = async (
  browser: Browser,
  url: string,
  { size = 'desktop', prepare }: VisitOptions = {},
): Promise<Visit> => {
  const context = await openProfile(browser, { viewport: sizes[size] })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const page = await context.newPage()
  const complaints: string[] = []
  const foreign: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  const { origin } = new URL(url)
  page.on('request', (request) => {
    if (!['data:', 'blob:', `${origin}/`].some((start) => request.url().startsWith(start)))
      foreign.push(request.url())
  })
  await prepare?.(page)
  await page.goto(url)
  return { page, complaints, foreign, close: () => context.close() }
}

/** Opens a page in a new profile, and closes it after the work. */
export const visit = async (
  browser: Browser,
  url: string,
  use: (visit: Visit) => Promise<void>,
  options: VisitOptions = {},
): Promise<void> => {
  const opened = await openVisit(browser, url, options)
  try {
    await use(opened)
  } finally {
    await opened.close()
  }
}

const twoFrames = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))'
const transitions = 'document.getAnimations().filter((each) => each instanceof CSSTransition)'

/** Waits until the page has shown what it has. */
export const waitForFrames = (page: Page): Promise<void> => page.evaluate(twoFrames)

/** Shows the page in each look in turn. The name of a look is for messages and files. */
export const inEachLook = async (
  page: Page,
  use: (look: string, isFirst: boolean) => Promise<void>,
): Promise<void> => {
  for (const [index, { size, colorScheme }] of looks.entries()) {
    await page.setViewportSize(sizes[size])
    await page.emulateMedia({ colorScheme })
    await waitForFrames(page)
    await page.evaluate(`Promise.allSettled(${transitions}.map((each) => each.finished))`)
    await use(`${size}-${colorScheme}`, index === 0)
  }
}

/** By how many pixels the page is wider than the window. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - window.innerWidth')

/** A browser and a service with the sample, for the tests of one `describe`. */
export const servedPages = (): { readonly browser: Browser; readonly service: TestService } => {
  let browser: Browser
  let service: TestService
  before(async () => {
    browser = await openBrowser()
    service = await startTestService()
  })
  after(() => service.stop())
  return {
    get browser() {
      return browser
    },
    get service() {
      return service
    },
  }
}
