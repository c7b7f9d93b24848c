/** docs/behaviour/access.md. Every endpoint is tested with every role in ../generated. */
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { randomUUID } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { memoryDocumentStore } from '@publishing-service/adapter-memory'
import { collections, type IssuedKey } from '@publishing-service/application'
import { tokens } from '@publishing-service/composition-root'
import type { Role } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import { columnOf, expectError, expectOk, expectStatus, uuidOf } from '../harness/expect-response.js'
import { createApi, type ApiResponse } from '../harness/http-client.js'
import { storeFile } from '../harness/stored-files.js'
import { createPublication, type Publication } from '../harness/publication.js'
import { moduleProviding, startTestService, type TestService } from '../harness/start-test-service.js'
import { unscaled } from '../harness/unscaled.js'

describe('authentication', () => {
  const documents = memoryDocumentStore(collections)
  let service: TestService
  let home: Publication
  before(async () => {
    service = await startTestService(
      {},
      { documents: moduleProviding(tokens.documents, documents), ...unscaled },
    )
    home = await createPublication(service)
  })
  after(async () => {
    const errors = service.errorsLogged()
    await service.stop()
    expect(errors).to.deep.equal([])
  })

  const newKey = async (role: Role, instance = home.number): Promise<IssuedKey> => {
    const key = await service.useCases.administerKeys.create({ instance, role })()
    if (E.isLeft(key)) throw new Error(JSON.stringify(key.left))
    return key.right
  }
  const requestToken = (
    fields: Readonly<Record<string, string>>,
    type = 'application/x-www-form-urlencoded',
  ): Promise<ApiResponse> =>
    createApi(service.url).send('POST', '/oauth/token', {
      body: new URLSearchParams({ grant_type: 'client_credentials', ...fields }).toString(),
      headers: { 'Content-Type': type },
    })
  const exchange = (key: IssuedKey): Promise<ApiResponse> => requestToken({ ...key })
  const tokenOf = (response: ApiResponse): string => String(expectOk(response).object['access_token'])
  const use = (token: string): Promise<ApiResponse> =>
    home.anonymous.get('/sections', { Authorization: `Bearer ${token}` })

  // docs/behaviour/access.md#token-request
  it('returns access_token, token_type bearer, expires_in 86400 and items with id, roles, url, not cacheable', async () => {
    const response = expectOk(await exchange(await newKey('editor')))
    const { access_token: token, ...rest } = response.object
    expect(token).to.match(/^[\w-]{40,}$/)
    expect(rest).to.deep.equal({
      token_type: 'bearer',
      expires_in: 86_400,
      items: [{ id: home.number, roles: ['editor'], url: home.url }],
    })
    expect(response.headers['cache-control']).to.equal('no-store')
    expectOk(
      await requestToken({ ...(await newKey('reader')) }, 'Application/X-WWW-Form-Urlencoded; charset=UTF-8'),
    )
  })

  // docs/behaviour/access.md#token-lifetime
  it('issues a new token after expiry; each token is valid for its lifetime', async () => {
    const key = await newKey('reader')
    const first = tokenOf(await exchange(key))
    service.clock.advance(86_399_000)
    expectOk(await use(first))
    const second = tokenOf(await exchange(key))
    expect(second).not.to.equal(first)
    service.clock.advance(1000)
    expectError(await use(first), 401, 'invalid_token')
    expectOk(await use(second))
    home = await createPublication(service)
  })

  // docs/behaviour/access.md#revoke-a-token
  it('ends a token that is revoked at once, and no other, and tells nothing about unknown ones', async () => {
    const key = await newKey('reader')
    const [token, kept] = [tokenOf(await exchange(key)), tokenOf(await exchange(key))]
    const revoke = (form: string): Promise<ApiResponse> =>
      createApi(service.url).send('POST', '/oauth/revoke', {
        body: form,
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      })
    for (const each of [token, kept]) expectOk(await use(each))
    for (const form of ['', 'token=', `token=${token}&token=${token}`, `access_token=${token}`])
      expectError(await revoke(form), 400, 'invalid_request')
    expectOk(await use(token))
    for (const form of [`token=${token}&token_type_hint=refresh_token`, `token=${token}`, 'token=unknown']) {
      const response = expectStatus(await revoke(form), 200)
      expect(response.body).to.deep.equal({})
      expect(response.headers['cache-control']).to.equal('no-store')
      expectError(await use(token), 401, 'invalid_token')
    }
    expectOk(await use(kept))
  })

  // docs/behaviour/access.md#keys
  it('makes keys and secrets of A-Z, a-z, 0-9, - and _ only', async () => {
    for (let count = 0; count < 20; count += 1) {
      const { api_key: key, api_secret: secret } = await newKey('reader')
      expect(key).to.match(/^[\w-]{16,}$/)
      expect(secret).to.match(/^[\w-]{40,}$/)
    }
  })

  // docs/behaviour/access.md#failed-attempts
  it('blocks a client after ten failures at a key for Retry-After, even with the right secret; others are not blocked', async () => {
    const [key, bystander] = [await newKey('reader'), await newKey('reader')]
    for (let count = 0; count < 10; count += 1)
      expectStatus(await requestToken({ api_key: key.api_key, api_secret: 'guess' }), 401)
    const rejected = expectError(await exchange(key), 429, 'too_many_requests')
    const seconds = Number(rejected.headers['retry-after'])
    expect(seconds).to.be.within(1, 60)
    expectOk(await exchange(bystander))
    service.clock.advance(seconds * 1000)
    expectOk(await exchange(key))
    expectStatus(await requestToken({ api_key: key.api_key, api_secret: 'guess' }), 401)
    expectOk(await exchange(key))
  })

  // docs/behaviour/access.md#public-user
  it('shows public_user only live content, and files that have data', async () => {
    home = await createPublication(service)
    const draft = uuidOf(
      await home.editor.post('/content', {
        content_type: 'article',
        title: 'draft',
        urlname: 'draft',
        content: '<slot id="9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e11"/>',
      }),
    )
    const live = uuidOf(
      await home.editor.post('/content', {
        content_type: 'article',
        title: 'live',
        urlname: 'live',
        state: 'published',
      }),
    )
    const empty = randomUUID()
    expectOk(await home.editor.put(`/files/${empty}`, { title: 'x', filename: 'x' }))
    const { id: whole } = await storeFile(home.editor)
    expect(columnOf(await home.visitor.get('/content?fields=uuid'))).to.deep.equal([live])
    expect(columnOf(await home.visitor.get('/files?fields=uuid'))).to.deep.equal([whole])
    expect(columnOf(await home.reader.get('/content?fields=uuid'))).to.deep.equal([draft, live])
    const slot = `/content/${draft}/slots/9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e11`
    for (const path of [
      `/content/${draft}`,
      `/content/${draft}/info`,
      `/content/${draft}/slots`,
      slot,
      `${slot}/media`,
      `/content/${draft}/media`,
      `/files/${empty}`,
    ]) {
      expectError(await home.visitor.get(path), 404, 'not_found')
      expectOk(await home.reader.get(path))
    }
  })

  // docs/behaviour/access.md#hidden-targets
  it('hides what public_user may not see in references as well', async () => {
    const draft = uuidOf(
      await home.editor.post('/content', { content_type: 'article', title: 'hidden', urlname: 'hidden' }),
    )
    const section = uuidOf(
      await home.admin.post('/sections', { title: 'x', urlname: 'x', content_uuid: draft }),
    )
    const roundup = uuidOf(
      await home.editor.post('/content', {
        content_type: 'roundup_content',
        title: 'r',
        urlname: 'r',
        state: 'published',
        roundup_content_targets: [{ target_uuid: draft, title: 'secret' }],
      }),
    )
    expect(expectOk(await home.visitor.get(`/sections/${section}`)).object).to.include({
      content_uuid: null,
      lead_story_url: null,
    })
    expect(
      expectOk(await home.visitor.get(`/content/${roundup}`)).object['roundup_content_targets'],
    ).to.deep.equal([])
    expect(expectOk(await home.reader.get(`/sections/${section}`)).object).to.include({ content_uuid: draft })
  })
})

// docs/behaviour/access.md#keys
describe('stored secrets', () => {
  // docs/behaviour/access.md#secrets
  it('are hashes only: neither secrets nor tokens are in the store', async () => {
    const service = await startTestService()
    try {
      const key = await service.useCases.administerKeys.create({ instance: 1, role: 'admin' })()
      if (E.isLeft(key)) throw new Error('no key')
      const token = await service.tokenFor('admin')
      const contents: Buffer[] = []
      for (const file of await readdir(service.dataDirectory))
        if (file.startsWith('documents')) contents.push(await readFile(join(service.dataDirectory, file)))
      const stored = Buffer.concat(contents)
      expect(stored.indexOf(key.right.api_key)).to.be.at.least(0)
      expect(stored.indexOf(key.right.api_secret)).to.equal(-1)
      expect(stored.indexOf(token)).to.equal(-1)
    } finally {
      await service.stop()
    }
  })
})
