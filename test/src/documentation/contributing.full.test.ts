/**
 * The diffs of docs/contributing.md work: each is applied to a copy of the repository, which is built, passes the
 * tests of the declarations, and serves the addition. Needs bash and git.
 */
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { expectError, expectOk, rowsOf } from '../harness/expect-response.js'
import { createApi, type Api } from '../harness/http-client.js'
import { copyRepository } from './copied-repository.js'
import { blocksOf, readDocument } from './documents.js'
import { runScript, startByCommand } from './shell.js'

const key = { api_key: 'contributor', api_secret: 'a-secret-of-some-length' }

const diffs = blocksOf(readDocument('docs/contributing.md')).filter(({ language }) => language === 'diff')

const diffThatTouches = (path: string): string => {
  const found = diffs.find(({ text }) => text.includes(`+++ b/${path}\n`))
  if (found === undefined) throw new Error(`docs/contributing.md shows no diff of ${path}`)
  return `${found.text}\n`
}

const apiOf = async (url: string): Promise<Api> => {
  const response = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', ...key }),
  })
  const { access_token: token } = (await response.json()) as { readonly access_token: string }
  return createApi(`${url}/1`, token)
}

const environment = {
  STORE: 'memory',
  BLOBS: 'memory',
  BOOTSTRAP_API_KEY: key.api_key,
  BOOTSTRAP_API_SECRET: key.api_secret,
}

/**
 * Applies a diff to a copy, builds it, runs the tests of the declarations, and starts a service for the test.
 */
const withDiff = async (diff: string, test: (api: Api) => Promise<void>): Promise<void> => {
  const copy = await copyRepository()
  const options = { directory: copy.path, environment }
  try {
    await writeFile(join(copy.path, 'a.diff'), diff)
    // Prevents git from finding a repository in a parent directory.
    await runScript('GIT_CEILING_DIRECTORIES=$(dirname "$PWD") git apply --verbose a.diff', options)
    await runScript(
      [
        'node node_modules/typescript/bin/tsc -b packages/cli',
        "node node_modules/mocha/bin/mocha.js 'packages/domain/dist/resource/*.test.js'",
      ].join('\n'),
      options,
    )
    const service = await startByCommand('npm start', options)
    try {
      await test(await apiOf(service.url))
    } finally {
      await service.stop()
    }
  } finally {
    await copy.remove()
  }
}

describe('the diffs of docs/contributing.md', function () {
  this.timeout(120_000)

  it('add an attribute by one line', async () => {
    const diff = diffThatTouches('packages/domain/src/content/attributes/common-attributes.ts')
    expect(diff.match(/^\+(?!\+)/gm), 'lines that it adds').to.have.lengthOf(1)
    await withDiff(diff, async (api) => {
      const path = `/content/${randomUUID()}`
      const article = { content_type: 'article', title: 'A title', urlname: 'a-title' }
      expectOk(await api.put(path, { ...article, byline: 'By nobody' }))
      expect(expectOk(await api.get(path)).object['byline']).to.equal('By nobody')
      expectError(await api.patch(path, { byline: 'x'.repeat(256) }), 400, 'bad_parameters')
      expectOk(await api.patch(path, { byline: null }))
      expect(rowsOf(await api.get('/content?fields=byline&rpp=1'))).to.deep.equal([[null]])
    })
  })

  it('add a resource by one file and its entries in two lists', async () => {
    const diff = diffThatTouches('packages/domain/src/announcement/announcement.ts')
    expect(diff.match(/^--- \/dev\/null$/gm), 'files that it makes').to.have.lengthOf(1)
    expect(diff.match(/^--- a\/.*$/gm), 'files that it changes').to.have.lengthOf(2)
    await withDiff(diff, async (api) => {
      const path = `/announcements/${randomUUID()}`
      expectError(await api.put(path, { content: '<p>We move.<main/></p>' }), 400, 'bad_parameters')
      expectOk(await api.put(path, { title: 'Closed on Monday', content: '<p>We move.</p>' }))
      expectOk(await api.patch(path, { state: 'published' }))
      const { title, content, state } = expectOk(await api.get(path)).object
      expect({ title, content, state }).to.deep.equal({
        title: 'Closed on Monday',
        content: '<p>We move.</p>',
        state: 'published',
      })
      const list = '/announcements?fields=title-state&order=title&state=live'
      expect(rowsOf(await api.get(list))).to.deep.equal([['Closed on Monday', 'published']])
      expectOk(await api.delete(path))
      expectError(await api.get(path), 404, 'not_found')
    })
  })
})
