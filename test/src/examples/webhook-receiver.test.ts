/** docs/examples/webhook-receiver as a process: it rebuilds the pages of the example website when the service says so. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { root } from '../documentation/documents.js'
import { expectOk, uuidOf } from '../harness/expect-response.js'
import { runNode, type Program } from '../start-up/program.js'
import { startExampleWebsite, type ExampleWebsite } from './example-website.js'

describe('the receiver of web hooks', function () {
  this.timeout(60_000)
  let website: ExampleWebsite
  let receiver: Program
  let folder: string
  let hook: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pages-'))
    // Receivers accept what was signed in the last five minutes.
    website = await startExampleWebsite(Date.now())
    const { admin, url } = website
    const made = expectOk(await admin.post('/webhooks', { url: 'http://127.0.0.1:1/' })).object
    hook = `/webhooks/${String(made['uuid'])}`
    receiver = runNode([join(root, 'docs/examples/webhook-receiver/dist/main.js')], {
      WEBHOOK_SECRET: String(made['secret']),
      WEBSITE: url,
      PAGES: folder,
      RECEIVER_PORT: '0',
    })
    const [, address = ''] = await receiver.printed(/ (http:\S+)\n/)
    expectOk(await admin.patch(hook, { url: address }))
  })
  after(async () => {
    receiver.signal('SIGTERM')
    await receiver.ended
    await website.stop()
    await rm(folder, { recursive: true })
  })

  const page = (path: string) => readFile(join(folder, path, 'index.html'), 'utf8').catch(() => null)

  it('makes the pages of a story again when it is changed, moved and withdrawn', async () => {
    const { admin } = website
    const path = `/content/${uuidOf(await admin.get('/resolve?path=/food-and-drink/affogato/'))}`
    const began = performance.now()
    expectOk(await admin.patch(path, { title: 'Affogato, Again' }))
    await receiver.printed(/content\.updated \/food-and-drink\/affogato\/\n/)
    expect(performance.now() - began).to.be.below(3000)
    expect(await page('/food-and-drink/affogato/')).to.include('<h1>Affogato, Again</h1>')
    expectOk(await admin.patch(path, { urlname: 'affogato-again' }))
    await receiver.printed(/content\.updated \/food-and-drink\/affogato-again\/\n/)
    expect(await page('/food-and-drink/affogato/')).to.equal(null)
    expect(await page('/food-and-drink/affogato-again/')).to.include('<h1>Affogato, Again</h1>')
    expectOk(await admin.patch(path, { state: 'draft' }))
    await receiver.printed(/content\.unpublished \S+\n/)
    expect(await page('/food-and-drink/affogato-again/')).to.equal(null)
  })

  it('makes the front page when it is tested', async () => {
    await rm(join(folder, 'index.html'), { force: true })
    const { object } = expectOk(await website.admin.send('POST', `${hook}/test`))
    expect(object).to.include({ state: 'delivered', status: 204 })
    await receiver.printed(/test \S+\n/)
    expect(await page('/')).to.include('Begin here')
  })
})
