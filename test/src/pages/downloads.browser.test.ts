/** File data in a real browser: whatever somebody uploads, nothing of it runs in the service's origin. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import type { Browser, Page } from 'playwright-core'
import { storeFile } from '../harness/library.js'
import { createPublication, type Publication } from '../harness/publication.js'
import { smallPng } from '../harness/small-files.js'
import { startTestService, type TestService } from '../harness/start-test-service.js'
import { openBrowser } from './browser.js'

const script = "localStorage.setItem('ran', '1'); new Image().src = '/ran'"
const html = `<!doctype html><title>x</title><script>${script}</script>`
const xhtml = `<html xmlns="http://www.w3.org/1999/xhtml"><head><script>${script}</script></head></html>`
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="${script}"><script>${script}</script></svg>`
const xsl = `<xsl:stylesheet id="s" version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:template match="/"><html><head><script>${script}</script></head></html></xsl:template></xsl:stylesheet>`
const xml = `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="#s"?><!DOCTYPE d [<!ATTLIST xsl:stylesheet id ID #REQUIRED>]><d>${xsl}</d>`
const mixed = `--b\r\nContent-Type: text/html\r\n\r\n${html}\r\n--b--\r\n`

const pdf = (): string => {
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (this.submitForm\\("/ran"\\); app.launchURL\\("/ran"\\);) >> >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>',
  ]
  return `%PDF-1.4\n${objects.map((each, index) => `${index + 1} 0 obj\n${each}\nendobj\n`).join('')}trailer << /Root 1 0 R >>\n%%EOF`
}

/** What could run, by the type that it is declared as. */
const hostile: readonly (readonly [string, string])[] = [
  ['text/html', html],
  ['application/xhtml+xml', xhtml],
  ['image/svg+xml', svg],
  ['text/xml', xml],
  ['application/xml', xhtml],
  ['text/xsl', xhtml],
  ['application/rdf+xml', xhtml],
  ['multipart/x-mixed-replace', mixed],
  ['application/x-something', html],
  ['text/plain', html],
  ['no type at all', html],
  ['image/png', html],
  ['image/x-unknown', svg],
  ['video/mp4', html],
  ['application/pdf', pdf()],
  ['text/javascript', script],
]

describe('file data in a browser', function () {
  this.timeout(120_000)
  let service: TestService
  let home: Publication
  let browser: Browser
  /** Another site, which shows pages of the tests. */
  let site: Server
  let shown = ''
  before(async () => {
    browser = await openBrowser()
    service = await startTestService({ STORE: 'memory', BLOBS: 'memory' })
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
    await browser.close()
    await service.stop()
  })

  /** The requests that data of the service made, and what they left in its origin, after a use of a fresh browser. */
  const tracesOf = async (use: (page: Page) => Promise<void>): Promise<readonly string[]> => {
    const context = await browser.newContext({ acceptDownloads: false })
    try {
      const traces: string[] = []
      context.on('request', (request) => {
        if (request.url().endsWith('/ran')) traces.push(request.url())
      })
      const page = await context.newPage()
      await use(page)
      // Something of the service itself, whose storage is its origin's.
      await page.goto(`${service.url}/health/live`)
      if ((await page.evaluate("localStorage.getItem('ran')")) !== null) traces.push('storage')
      return traces
    } finally {
      await context.close()
    }
  }

  const open = async (page: Page, url: string): Promise<void> => {
    // What is saved rather than shown ends the navigation.
    await page.goto(url).catch((error: unknown) => {
      if (!String(error).includes('Download is starting') && !String(error).includes('ERR_ABORTED'))
        throw error
    })
  }

  const embed = async (page: Page, body: string): Promise<void> => {
    shown = `<!doctype html><title>x</title>${body}`
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`)
  }

  it('runs where nothing keeps it: the traces of this test are real', async () => {
    const traces = await tracesOf(async (page) => {
      await page.goto(`${service.url}/health/live`)
      await page.setContent(html)
      await page.evaluate(script)
    })
    expect(traces).to.include('storage')
    expect(traces).to.include(`${service.url}/ran`)
  })

  for (const [mimetype, data] of hostile)
    it(`nothing runs of what is declared as ${mimetype} (${data.slice(0, 12).trim()}…)`, async () => {
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

  it('images are displayed, by themselves and within pages', async () => {
    const { download } = await storeFile(home.editor, { mimetype: 'image/png', data: smallPng })
    const url = `${home.url}${download}`
    await tracesOf(async (page) => {
      await page.goto(url)
      expect(await page.evaluate('document.images[0].naturalWidth')).to.be.above(0)
      await embed(page, `<img src="${url}">`)
      expect(await page.evaluate('document.images[0].naturalWidth')).to.be.above(0)
    })
  })

  it('audio and video are opened in the player of the browser', async () => {
    for (const mimetype of ['audio/mpeg', 'video/webm']) {
      const { download } = await storeFile(home.editor, { mimetype, data: Buffer.alloc(400) })
      await tracesOf(async (page) => {
        await page.goto(`${home.url}${download}`, { waitUntil: 'commit' })
        await page.waitForSelector('video, audio', { state: 'attached' })
      })
    }
  })
})
