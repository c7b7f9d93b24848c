/** A browser for tests, which records the errors on its pages. */
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { after, before } from 'mocha'
import { chromium, type Browser, type Page } from 'playwright-core'
import { startTestService, type TestService } from '../harness/start-test-service.js'

const names = ['chromium', 'chromium-browser', 'google-chrome']

const executable = (): string => {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const found = names.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync)
  if (found === undefined)
    throw new Error('There is no Chromium. On Debian: apt-get install --no-install-recommends chromium')
  return found
}

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: executable(),
    // The sandbox of Chromium does not work for root, which runs tests in containers.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })

/** The timeout of page operations in milliseconds, for a machine with a high load. */
const timeout = 100_000

export const sizes = {
  desktop: { width: 1280, height: 900 },
  telephone: { width: 390, height: 800 },
} as const

/** How pages are displayed: by default in two looks that differ in both, in a whole run in all. */
export const looks = (
  [
    { size: 'desktop', colorScheme: 'light' },
    { size: 'telephone', colorScheme: 'dark' },
    { size: 'desktop', colorScheme: 'dark' },
    { size: 'telephone', colorScheme: 'light' },
  ] as const
).slice(0, 2)

export type Visit = {
  readonly page: Page
  /** Errors and warnings of the console, uncaught errors, and policy violations. */
  readonly complaints: readonly string[]
  /** The requested addresses outside of the service. */
  readonly foreign: readonly string[]
}

type VisitOptions = {
  readonly size?: keyof typeof sizes
  readonly colorScheme?: 'light' | 'dark'
  readonly javaScriptEnabled?: boolean
}

/** Opens a page in a new profile, and closes it after the work. */
export const visit = async (
  browser: Browser,
  url: string,
  use: (visit: Visit) => Promise<void>,
  { size = 'desktop', colorScheme = 'light', javaScriptEnabled = true }: VisitOptions = {},
): Promise<void> => {
  const context = await browser.newContext({ viewport: sizes[size], colorScheme, javaScriptEnabled })
  try {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    context.setDefaultTimeout(timeout)
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
    await page.goto(url, { waitUntil: 'networkidle' })
    await use({ page, complaints, foreign })
  } finally {
    await context.close()
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
    service = await startTestService({ STORE: 'memory', BLOBS: 'memory' })
  })
  after(async () => {
    await browser.close()
    await service.stop()
  })
  return {
    get browser() {
      return browser
    },
    get service() {
      return service
    },
  }
}
