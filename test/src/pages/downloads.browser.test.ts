/** Uploaded file data never runs scripts in the origin of the service, in a real browser. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import type { Browser, Page } from 'playwright-core'
import { storeFile } from '../harness/stored-files.js'
import { createPublication, type Publication } from '../harness/publication.js'
import { smallPng } from '../harness/small-files.js'
import { startTestService, type TestService } from '../harness/start-test-service.js'
import { openBrowser, openProfile } from './browser.js'

const script = "localStorage.setItem('ran', '1'); new Image().src = '/ran'"
const html = `<!doctype html><title>x</title><script>${script}</script>`
const xhtml = `<html xmlns="http://www.w3.org/1999/xhtml"><head><script>${script}</script></head></html>`
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="${script}"><script>${script}</script></svg>`
const xsl = `<xsl:stylesheet id="s" version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:template match="/"><html><head><script>${script}</script></head></html></xsl:template></xsl:stylesheet>`
const xml = `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="#s"?><!DOCTYPE d [<!ATTLIST xsl:stylesheet id ID #REQUIRED>]><d>${xsl}</d>`

const pdf = (): string => {
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (this.submitForm\\("/ran"\\); app.launchURL\\("/ran"\\);) >> >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>',
  ]
  return `%PDF-1.4\n${objects.map((each, index) => `${index + 1} 0 obj\n${each}\nendobj\n`).join('')}trailer << /Root 1 0 R >>\n%%EOF`
}

/** Data with scripts, by declared media type. */
const hostile: readonly (readonly [string, string])[] = [
  ['text/html', html],
  ['application/xhtml+xml', xhtml],
  ['image/svg+xml', svg],
  ['text/xml', xml],
  ['application/xml', xhtml],
  ['text/xsl', xhtml],
  ['application/rdf+xml', xhtml],
  ['application/x-something', html],
  ['text/plain', html],
  ['no type at all', html],
  ['image/png', html],
  ['image/x-unknown', svg],
  ['video/mp4', html],
  ['application/pdf', pdf()],
  ['text/javascript', script],
]

const noOperations = {
  openapi: '3.1.0',
  info: { title: 'x', version: '1' },
  paths: {},
  components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
}

describe('file data in a browser', function () {
  this.timeout(120_000)
  let service: TestService
  let home: Publication
  let browser: Browser
  /** Another site, which serves the pages of the tests. */
  let site: Server
  let shown = ''
  before(async () => {
    browser = await openBrowser()
    service = await startTestService()
    home = await createPublication(service)
    await home.admin.patch('/settings', { public_downloads: true })
    site = createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html')
      response.end(shown)
    })
    site.listen(0, '127.0.0.1')
    await once(site, 'listening')
  })
  after(async () => {
    site.close()
    site.closeAllConnections()
    await service.stop()
  })

  /** The requests that the data sent to the service, and the traces in its origin, in a new browser profile. */
  const tracesOf = async (use: (page: Page) => Promise<void>): Promise<readonly string[]> => {
    const context = await openProfile(browser, { acceptDownloads: false })
    try {
      const traces: string[] = []
      // The reference draws this in an instant; the whole document occupies the page for seconds.
      await context.route('**/openapi.json', (route) => route.fulfill({ json: noOperations }))
      context.on('request', (request) => {
        if (request.url().endsWith('/ran')) traces.push(request.url())
      })
      const page = await context.newPage()
      await use(page)
      // A page of the service, in order to read the storage of its origin.
      await page.goto(`${service.url}/health/live`)
      if ((await page.evaluate("localStorage.getItem('ran')")) !== null) traces.push('storage')
      return traces
    } finally {
      await context.close()
    }
  }

  const open = async (page: Page, url: string): Promise<void> => {
    // A download aborts the navigation.
    await page.goto(url).catch((error: unknown) => {
      if (!String(error).includes('Download is starting') && !String(error).includes('ERR_ABORTED'))
        throw error
    })
  }

  const embed = async (page: Page, body: string): Promise<void> => {
    shown = `<!doctype html><title>x</title>${body}`
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`)
  }

  /** Whether a page may load a script. */
  const loadScript = (page: Page, address: string): Promise<unknown> =>
    page.evaluate(`new Promise((resolve) => {
      const element = Object.assign(document.createElement('script'), { src: '${address}', type: 'module' })
      element.onload = () => resolve('loaded')
      element.onerror = () => resolve('refused')
      document.head.append(element)
    })`)

  it('runs scripts without protection (checks the test itself)', async () => {
    const traces = await tracesOf(async (page) => {
      await page.goto(`${service.url}/health/live`)
      await page.setContent(html)
      await page.evaluate(script)
    })
    expect(traces).to.include('storage')
    expect(traces).to.include(`${service.url}/ran`)
  })

  for (const [mimetype, data] of hostile)
    it(`runs no script as ${mimetype} (${data.slice(0, 12).trim()}…)`, async () => {
      const { download } = await storeFile(home.editor, { mimetype, data: Buffer.from(data) })
      const url = `${home.url}${download}`
      const traces = await tracesOf(async (page) => {
        await open(page, url)
        await embed(
          page,
          `<iframe src="${url}"></iframe><object data="${url}"></object><embed src="${url}"><img src="${url}">`,
        )
      })
      expect(traces).to.deep.equal([])
    })

  it('is run as a script in no page of the service, also if it was uploaded as one', async () => {
    const { download } = await storeFile(home.editor, {
      mimetype: 'text/javascript',
      data: Buffer.from(script),
    })
    for (const path of ['/dashboard/', '/docs', '/health/live']) {
      const traces = await tracesOf(async (page) => {
        await page.goto(`${service.url}${path}`)
        const outcome = await loadScript(page, `${home.url}${download}`)
        expect(outcome, path).to.equal('refused')
      })
      expect(traces, path).to.deep.equal([])
    }
  })

  it('leaves the pages of the service the scripts of their own folder only', async () => {
    const own = '/docs/assets/current/reference.js'
    await tracesOf(async (page) => {
      await page.goto(`${service.url}/docs`)
      expect(
        await loadScript(page, (await page.locator('script[src$="reference.js"]').getAttribute('src')) ?? ''),
      ).to.equal('loaded')
      expect(await loadScript(page, `${service.url}${own}`), 'of another version').to.equal('refused')
      await page.goto(`${service.url}/dashboard/`)
      expect(await loadScript(page, `${service.url}${own}`), 'of the documentation').to.equal('refused')
    })
  })

  it('displays images, alone and in pages', async () => {
    const { download } = await storeFile(home.editor, { mimetype: 'image/png', data: smallPng })
    const url = `${home.url}${download}`
    await tracesOf(async (page) => {
      await page.goto(url)
      expect(await page.evaluate('document.images[0].naturalWidth')).to.be.above(0)
      await embed(page, `<img src="${url}">`)
      expect(await page.evaluate('document.images[0].naturalWidth')).to.be.above(0)
    })
  })

  it('plays audio and video in the browser', async () => {
    for (const mimetype of ['audio/mpeg', 'video/webm']) {
      const { download } = await storeFile(home.editor, { mimetype, data: Buffer.alloc(400) })
      await tracesOf(async (page) => {
        await page.goto(`${home.url}${download}`, { waitUntil: 'commit' })
        await page.waitForSelector('video, audio', { state: 'attached' })
      })
    }
  })
})
