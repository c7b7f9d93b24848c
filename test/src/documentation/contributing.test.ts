/**
 * The steps of docs/contributing.md are sufficient: its diffs and `npm run docs` make a copy of the repository that
 * passes the tests of completeness, and that serves what they add. A copy may have some of it already, because somebody
 * follows the guide. Needs bash.
 */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { isJsonObject, type JsonObject } from '@publishing-service/domain/json'
import { expectError, expectOk, objectsOf, rowsOf } from '../harness/expect-response.js'
import { createApi, type Api } from '../harness/http-client.js'
import { applyDiff, parseDiff } from './apply-diff.js'
import { blocksOf, readDocument, root } from './documents.js'
import { runScript, startByCommand, type RunningService } from './shell.js'

const diffs = blocksOf(readDocument('docs/contributing.md')).filter(({ language }) => language === 'diff')

const changes = diffs.map(({ text }) => parseDiff(`${text}\n`))

const scope = '@publishing-service'

/**
 * Copies the sources and what was compiled of them, with their times, so that only what changes is compiled; and links
 * to the installed dependencies.
 */
const copyRepository = async (path: string): Promise<void> => {
  const pack = 'tar --exclude=node_modules -cf - packages docs test *.md *.json .mocharc.json'
  // It ends with 1 if a file or folder has changed meanwhile: other tests write examples to the folder of their own.
  await runScript(`{ ${pack} || [ $? = 1 ]; } | tar -xf - -C "$COPY"`, {
    directory: root,
    environment: { COPY: path },
  })
  const installed = join(path, 'node_modules')
  await mkdir(join(installed, scope), { recursive: true })
  for (const name of await readdir(join(root, 'node_modules')))
    if (name !== scope) await symlink(join(root, 'node_modules', name), join(installed, name))
  for (const name of await readdir(join(path, 'packages'))) {
    await symlink(join(path, 'packages', name), join(installed, scope, name))
    const own = join(root, 'packages', name, 'node_modules')
    if (existsSync(own)) await symlink(own, join(path, 'packages', name, 'node_modules'))
  }
}

/** Tests that an addition which compiles can fail, because they ask something of every resource or attribute. */
const guards = [
  'packages/domain/dist/resource/resources.test.js',
  'packages/http-contract/dist/openapi/document.test.js',
  'packages/dashboard/dist/texts/model-words.test.js',
  'test/dist/documentation/generated.test.js',
  'test/dist/openapi/examples.test.js',
]

/** The tests in these files that do not concern the additions. */
const others = '^the examples of the reference (?!.*Announcement)'

const key = { api_key: 'contributor', api_secret: 'a-secret-of-some-length' }

const environment = {
  STORE: 'memory',
  BLOBS: 'memory',
  BOOTSTRAP_API_KEY: key.api_key,
  BOOTSTRAP_API_SECRET: key.api_secret,
}

const tokenOf = async (url: string): Promise<string> => {
  const form = new URLSearchParams({ grant_type: 'client_credentials', ...key })
  const response = await fetch(`${url}/oauth/token`, { method: 'POST', body: form })
  const { access_token: token } = (await response.json()) as { readonly access_token: string }
  return token
}

describe('the steps of docs/contributing.md', function () {
  this.timeout(300_000)
  let copy: string
  let service: RunningService | undefined
  let api: Api
  let token: string

  /**
   * The body of an answer of an endpoint whose description the additions change: `api` compares answers with the description
   * that the endpoint has here, without them.
   */
  const answerOf = async (path: string, sent?: JsonObject): Promise<JsonObject> => {
    const response = await fetch(`${String(service?.url)}/1${path}`, {
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(sent === undefined ? {} : { method: 'POST', body: JSON.stringify(sent) }),
    })
    const body: unknown = await response.json()
    if (!response.ok || !isJsonObject(body)) return expect.fail(`${response.status} ${JSON.stringify(body)}`)
    return body
  }

  before(async () => {
    copy = await mkdtemp(join(tmpdir(), 'copy-'))
    await copyRepository(copy)
    const options = { directory: copy, environment }
    for (const diff of changes.flat()) {
      const path = join(copy, diff.path)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, applyDiff(diff, existsSync(path) ? await readFile(path, 'utf8') : null))
    }
    // `npm run docs`, which also compiles what has a case for each kind of page, such as the example website.
    await runScript(
      'node packages/composition-root/bin/build.js && node test/dist/documentation/main.js',
      options,
    )
    await runScript(
      `node node_modules/mocha/bin/mocha.js --invert --grep '${others}' ${guards.join(' ')}`,
      options,
    )
    const start = "(await import('./packages/composition-root/dist/main.js')).main()"
    service = await startByCommand(`node --input-type=module -e "${start}"`, options)
    token = await tokenOf(service.url)
    api = createApi(`${service.url}/1`, token)
  })

  after(async () => {
    await service?.stop()
    await rm(copy, { recursive: true, force: true })
  })

  it('change few files by hand', () => {
    // An attribute, a rule, and a resource.
    expect(changes.map((files) => files.length)).to.deep.equal([1, 1, 3])
  })

  it('add an attribute', async () => {
    const path = `/content/${randomUUID()}`
    const article = { content_type: 'article', title: 'A title', urlname: 'a-title' }
    expectOk(await api.put(path, { ...article, byline: 'By nobody' }))
    expect(expectOk(await api.get(path)).object['byline']).to.equal('By nobody')
    expectError(await api.patch(path, { byline: 'x'.repeat(256) }), 400, 'bad_parameters')
    expectOk(await api.patch(path, { byline: null }))
    expect(rowsOf(await api.get('/content?fields=byline&rpp=1'))).to.deep.equal([[null]])
  })

  it('add a rule between attributes', async () => {
    const path = `/content/${randomUUID()}`
    const event = {
      content_type: 'event',
      title: 'A title',
      urlname: 'an-event',
      dtstart: '2026-05-01T20:00:00',
    }
    expectOk(await api.put(path, event))
    expectOk(await api.patch(path, { dtstart: '2026-05-02T20:00:00' }))
    expectOk(await api.patch(path, { event_status_type: 'cancelled' }))
    expectError(await api.patch(path, { dtstart: '2026-05-03T20:00:00' }), 400, 'bad_parameters')
  })

  it('add a resource with a public path', async () => {
    const id = randomUUID()
    const path = `/announcements/${id}`
    const text = { title: 'Closed on Monday', urlname: 'closed', content: '<p>We move.</p>' }
    expectError(await api.put(path, { ...text, content: '<p>We move.<main/></p>' }), 400, 'bad_parameters')
    expectOk(await api.put(path, text))
    expectOk(await api.patch(path, { state: 'published', urlname: 'closed-on-monday' }))
    const { object } = expectOk(await api.get(path))
    const current = '/announcements/closed-on-monday/'
    expect(object).to.include({ content: text.content, path: current })
    expect(objectsOf(await api.get(`${path}/path_history`))).to.deep.equal([
      { path: '/announcements/closed/' },
    ])
    const page = await answerOf(`/page?path=${current}`)
    expect(page).to.include({ kind: 'announcement', path: current })
    expect(page['object']).to.deep.equal(object)
    expect(page['seo']).to.include({ title: text.title, robots: 'index' })
    expect(await answerOf(`/resolve?path=${current}`)).to.include({
      type: 'announcement',
      uuid: id,
      url: object['url'],
    })
    expect(expectOk(await api.get('/resolve?path=/announcements/closed/')).object).to.include({
      type: 'redirect',
      location: current,
    })
    expectError(await api.get('/resolve?path=/announcements/nothing/'), 404, 'not_found')
    expectError(
      await api.put(`/announcements/${randomUUID()}`, { ...text, urlname: 'closed-on-monday' }),
      400,
      'bad_parameters',
    )
    const list = '/announcements?fields=title-state&order=title&state=live'
    expect(rowsOf(await api.get(list))).to.deep.equal([['Closed on Monday', 'published']])
  })

  it('add a resource with versions and web hooks, whose deleted objects are in the trash', async () => {
    const path = `/announcements/${randomUUID()}`
    const events = ['announcements.published']
    expect(await answerOf('/webhooks', { url: 'https://example.org/hook', events })).to.include.keys('secret')
    expectOk(await api.put(path, { title: 'First', urlname: 'versions' }))
    expectOk(await api.patch(path, { title: 'Second' }))
    expect((await answerOf(`${path}/versions`))['items']).to.have.lengthOf(2)
    expectOk(await api.delete(path))
    expectError(await api.get(path), 404, 'not_found')
    expect(JSON.stringify(await answerOf('/trash'))).to.include('Second')
  })
})
