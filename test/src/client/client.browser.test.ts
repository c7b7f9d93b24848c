/** The client package in Chromium: rows, and an upload that reports its progress. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { root } from '../documentation/documents.js'
import { openProfile, servedPages } from '../pages/browser.js'

const files = {
  client: join(root, 'packages/client/dist'),
  'openapi-fetch': join(root, 'node_modules/openapi-fetch/dist'),
} as const

const imports = { 'openapi-fetch': '/test/openapi-fetch/index.mjs' }
const html = `<!doctype html><script type="importmap">${JSON.stringify({ imports })}</script>`

const script = (token: string) => `(async () => {
  const { createClient, dataOf } = await import('/test/client/index.js')
  const token = { access_token: ${JSON.stringify(token)}, token_type: 'bearer', expires_in: 86400, items: [] }
  const client = createClient({ service: location.origin, requestToken: async () => token })
  const path = { iid: 1 }
  const titles = []
  for await (const { title } of client.rows('/{iid}/sections', { path, query: { fields: ['title'], rpp: 2 } }))
    titles.push(title)
  const body = { title: 'A file', filename: 'a.bin' }
  const { uuid } = dataOf(await client.POST('/{iid}/files', { params: { path }, body }))
  const data = new Blob([new Uint8Array(3000000)], { type: 'application/octet-stream' })
  const progress = []
  await client.upload({ iid: 1, uuid, data, onProgress: (each) => progress.push(each) })
  const file = dataOf(await client.GET('/{iid}/files/{uuid}', { params: { path: { iid: 1, uuid } } }))
  return { titles: titles.length, last: progress.at(-1), size: file.byte_size }
})()`

describe('the client package in a browser', function () {
  this.timeout(120_000)
  const served = servedPages()

  it('reads rows and uploads with progress', async () => {
    const context = await openProfile(served.browser)
    const page = await context.newPage()
    try {
      await page.route('**/test/**', async (route) => {
        const [, , name, file = ''] = new URL(route.request().url()).pathname.split('/')
        if (name === 'client' || name === 'openapi-fetch')
          return route.fulfill({
            contentType: 'text/javascript',
            body: await readFile(join(files[name], file), 'utf8'),
          })
        return route.fulfill({ contentType: 'text/html', body: html })
      })
      await page.goto(`${served.service.url}/test/page`)
      const result = await page.evaluate(script(await served.service.tokenFor('admin')))
      expect(result).to.have.property('titles').that.is.greaterThan(2)
      expect(result).to.deep.include({ last: { sent: 3_000_000, total: 3_000_000 }, size: 3_000_000 })
    } finally {
      await context.close()
    }
  })
})
