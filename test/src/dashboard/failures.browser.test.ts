/** What is typed survives a session that ends, and a service that goes away. The dashboard works below a path prefix. */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import type { Page } from 'playwright-core'
import { E } from '@publishing-service/domain/fp'
import {
  combinations,
  connectionSettingsFor,
  startTestService,
  type TestService,
} from '../harness/start-test-service.js'
import { createPublication } from '../harness/publication.js'
import { userOfKey } from '../harness/users.js'
import { goTo, servedDashboard, signIn, unreachable } from './served-dashboard.js'

/** A script that leaves a mark. */
const mark = "localStorage.setItem('ran', '1')"

const prefix = '/cms'
const day = 24 * 60 * 60 * 1000

/** Forwards requests below the prefix without it. */
const startProxy = async (target: () => string): Promise<Server> => {
  const proxy = createServer((incoming, response) => {
    const path = incoming.url ?? ''
    if (!path.startsWith(`${prefix}/`)) return void response.writeHead(404).end()
    const { method, headers } = incoming
    const outgoing = request(
      new URL(path.slice(prefix.length), target()),
      { ...(method === undefined ? {} : { method }), headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      },
    )
    // The page is closed while it loads pictures.
    outgoing.on('error', () => response.destroy())
    incoming.pipe(outgoing)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return proxy
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port

const title = (page: Page) => page.getByRole('textbox', { name: 'Title', exact: true })
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true })
const saved = (page: Page) => page.getByText('Saved', { exact: true })

describe('the dashboard, when something fails', function () {
  this.timeout(240_000)
  const served = servedDashboard()

  const createBlog = async (service: TestService) => {
    const home = await createPublication(service)
    const { object } = await home.editor.post('/blogs', { title: 'Before', urlname: 'before' })
    const blog = async () => (await home.editor.get(`/blogs/${String(object['uuid'])}`)).object
    return { blog, number: home.number, path: `/${home.number}/blogs/${String(object['uuid'])}` }
  }

  it('saves what was typed after the session has ended, when the same person has signed in', async () => {
    const { service } = served
    const { path, number } = await createBlog(service)
    const key = await service.keyFor('editor', number)
    const others = await service.keyFor('editor', number)
    const further = await service.useCases.administerKeys.create({ user: await userOfKey(service, key) })()
    if (E.isLeft(further)) throw new Error(JSON.stringify(further.left))
    await served.open(
      path,
      async (page) => {
        await title(page).fill('Typed before')
        service.clock.advance(2 * day)
        await save(page).click()
        const dialog = page.getByRole('dialog')
        await dialog.getByText('Sign in again').waitFor()
        await signIn(dialog, { ...key, api_secret: 'wrong' })
        await dialog.getByRole('alert').waitFor()
        await dialog.getByRole('button', { name: 'Copy my text' }).click()
        expect(await page.evaluate('navigator.clipboard.readText()')).to.equal('Title:\nTyped before')
        await signIn(dialog, others)
        await dialog.getByText('This is somebody else.').waitFor()
        await signIn(dialog, further.right)
        await saved(page).waitFor()
        expect(await title(page).inputValue()).to.equal('Typed before')
      },
      { key, statuses: [400, 401] },
    )
    await served.open(
      path,
      async (page) => {
        expect(await title(page).inputValue()).to.equal('Typed before')
      },
      { key },
    )
  })

  it('saves what was typed when the service is there again', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'publishing-'))
    const stores = combinations[0]?.environment ?? {}
    // Both services use the same stores.
    const environment = { ...stores, ...(await connectionSettingsFor(stores)), DATA_DIR: directory }
    const first = await startTestService(environment)
    const { path, number } = await createBlog(first)
    const key = await first.keyFor('editor', number)
    let second: TestService | null = null
    try {
      await served.open(
        path,
        async (page) => {
          await title(page).fill('Typed while it was there')
          await first.stop()
          await save(page).click()
          await page.getByRole('alert').getByText('cannot be reached').waitFor()
          await title(page).fill('Typed while it was away')
          second = await startTestService({ ...environment, PORT: new URL(first.url).port })
          await save(page).click()
          await saved(page).waitFor()
          expect(await title(page).inputValue()).to.equal('Typed while it was away')
          await page.getByRole('link', { name: 'Back to the list' }).click()
          await page.getByRole('link', { name: 'Typed while it was away' }).waitFor()
        },
        { key, url: first.url, statuses: [unreachable, 503] },
      )
    } finally {
      await (second ?? first).stop()
      await rm(directory, { recursive: true, force: true })
    }
  })

  it('works below a path prefix', async () => {
    let target = ''
    const proxy = await startProxy(() => target)
    const url = `http://127.0.0.1:${portOf(proxy)}${prefix}`
    const service = await startTestService({ ...combinations[0]?.environment, BASE_URL: url })
    target = service.url
    try {
      const key = await service.keyFor('editor')
      await served.open(
        '/1/files',
        async (page) => {
          await page.getByRole('link', { name: 'Blogs' }).click()
          await page.getByRole('link', { name: 'Notebook' }).click()
          await title(page).fill('Notes')
          await save(page).click()
          await saved(page).waitFor()
          expect(page.url()).to.match(new RegExp(`^${url}/dashboard/#/1/blogs/`))
        },
        { key, url },
      )
    } finally {
      proxy.close()
      proxy.closeAllConnections()
      await service.stop()
    }
  })
})

describe('the dashboard, with hostile content', function () {
  this.timeout(240_000)
  const served = servedDashboard()

  it('runs no script of an article, a title or a file', async () => {
    const { service } = served
    const home = await createPublication(service)
    const script = `<script>${mark}</script><img src=x onerror="${mark}">`
    const { status, object } = await home.editor.post('/content', {
      content_type: 'article',
      title: script,
      description: script.replaceAll(/<[^>]*>/g, ''),
      urlname: 'hostile',
      content: '<p><a href="https://www.example.org/">a link</a></p>',
    })
    expect(status).to.equal(200)
    const uuid = String(object['uuid'])
    await home.editor.post('/files', { title: script, filename: 'x.html' })
    await home.editor.post('/comments', {
      parent_type: 'content',
      parent_uuid: uuid,
      comment: script,
      title: script,
    })
    const key = await service.keyFor('admin', home.number)
    await served.open(
      `/${home.number}/content/${uuid}`,
      async (page) => {
        await page.locator('.tiptap').first().waitFor()
        for (const path of ['', '/content', '/files', '/comments', `/content/${uuid}`]) {
          await goTo(page, `/${home.number}${path}`)
        }
        expect(await page.evaluate("localStorage.getItem('ran')")).to.equal(null)
      },
      { key },
    )
  })

  it('runs no script of a source text, and reports it', async () => {
    const { service } = served
    const home = await createPublication(service)
    const { object } = await home.editor.post('/content', {
      content_type: 'article',
      title: 'Source',
      urlname: 'source',
      content: '<p>Before</p>',
    })
    const uuid = String(object['uuid'])
    const key = await service.keyFor('editor', home.number)
    const source = `<p onclick="${mark}">After</p><script>${mark}</script><img src="/x" onerror="${mark}"/>`
    await served.open(
      `/${home.number}/content/${uuid}`,
      async (page) => {
        await page.getByText('Source', { exact: true }).last().click()
        await page.locator('#content textarea').filter({ hasText: 'Before' }).last().fill(source)
        await page.getByText('Rich text', { exact: true }).last().click()
        await page.getByText('Only the source can be edited: <script>').waitFor()
        await save(page).click()
        await page.locator('#content').getByRole('alert').first().waitFor()
        expect(await page.evaluate("localStorage.getItem('ran')")).to.equal(null)
        expect((await home.editor.get(`/content/${uuid}`)).object).to.include({ content: '<p>Before</p>' })
      },
      { key, statuses: [400] },
    )
  })
})
