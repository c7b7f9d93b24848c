/** The first start: on stores that several services share, that fail, or that already contain data. */
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { memoryBlobStore, memoryDocumentStore } from '@publishing-service/adapter-memory'
import { collections } from '@publishing-service/application'
import { startService, tokens, welcome, type Service } from '@publishing-service/composition-root'
import { changes } from '@publishing-service/conformance'
import { E } from '@publishing-service/domain/fp'
import { portFailure, type BlobStore, type DocumentStore } from '@publishing-service/ports'
import { createApi } from '../harness/http-client.js'
import { configurationOf, moduleProviding } from '../harness/start-test-service.js'
import { unscaled } from '../harness/unscaled.js'
import { requestToken, tokenFor, type Key } from './token.js'

type Stores = { readonly documents: DocumentStore; readonly blobs: BlobStore }

const newStores = (): Stores => ({ documents: memoryDocumentStore(collections), blobs: memoryBlobStore() })

const chosen: Key = { api_key: 'operator', api_secret: 'a-secret-of-the-operator' }
const bootstrapOf = ({ api_key, api_secret }: Key) => ({
  BOOTSTRAP_API_KEY: api_key,
  BOOTSTRAP_API_SECRET: api_secret,
})

/** Starts a service on stores that remain open after it. */
const startOn = (
  { documents, blobs }: Stores,
  environment: Readonly<Record<string, string>> = {},
): Promise<Service> =>
  startService(
    configurationOf({
      PORT: '0',
      LOG_LEVEL: 'error',
      DATA_DIR: join(tmpdir(), `nobody-makes-this-${randomUUID()}`),
      STORE: 'memory',
      BLOBS: 'memory',
      ...environment,
    }),
    {
      documents: moduleProviding(tokens.documents, documents),
      blobs: moduleProviding(tokens.blobs, blobs),
      ...unscaled,
    },
  )

const instancesOf = async ({ useCases }: Service) => {
  const found = await useCases.administerInstances.list()()
  if (E.isLeft(found)) throw new Error(JSON.stringify(found.left))
  return found.right.map(({ id, settings }) => [id, settings['title']])
}

const keysOf = async ({ useCases }: Service): Promise<readonly string[]> => {
  const found = await useCases.administerKeys.list()()
  if (E.isLeft(found)) throw new Error(JSON.stringify(found.left))
  return found.right.map(({ api_key: key }) => key)
}

const countOf = async (url: string, token: string, collection: string): Promise<number> => {
  const { object } = await createApi(`${url}/1`, token).get(`/${collection}?rpp=100`)
  return (object['items'] as readonly unknown[]).length
}

const sizeOfSample = { sections: 5, content: 12, files: 6, blogs: 1 } as const

const expectSample = async ({ url }: Service, key: Key): Promise<void> => {
  const token = await tokenFor(url, key)
  for (const [collection, count] of Object.entries(sizeOfSample))
    expect(await countOf(url, token, collection), collection).to.equal(count)
}

describe('bootstrap', () => {
  it('uses the configured key and secret, and makes up what is not configured', async () => {
    const [none, keyOnly, secretOnly] = await Promise.all([
      startOn(newStores()),
      startOn(newStores(), { BOOTSTRAP_API_KEY: chosen.api_key }),
      startOn(newStores(), { BOOTSTRAP_API_SECRET: chosen.api_secret }),
    ])
    const [first, second, third] = [none, keyOnly, secretOnly].map(({ bootstrapped }) => bootstrapped.issued)
    if (!first || !second || !third) throw new Error('no key')
    await expectSample(none, first)
    expect(second.api_key).to.equal(chosen.api_key)
    expect(second.api_secret)
      .to.match(/^[\w-]{43,}$/)
      .and.not.equal(first.api_secret)
    expect(third.api_key)
      .to.match(/^[\w-]{20}$/)
      .and.not.equal(first.api_key)
    expect(third.api_secret).to.equal(chosen.api_secret)
    await Promise.all([none, keyOnly, secretOnly].map((each) => each.stop()))
  })

  it('makes a link for the first person, who is an operator and admin of the sample, once', async () => {
    const stores = newStores()
    const first = await startOn(stores)
    const { setUp } = first.bootstrapped
    const chosenByPerson = {
      token: setUp?.token ?? '',
      email: 'ada@example.org',
      password: 'seven quiet rivers run',
    }
    const used = await createApi(first.url).post('/sign-in/link/use', chosenByPerson)
    expect(used.status).to.equal(200)
    const [cookie = ''] = String(used.headers['set-cookie']).split(';')
    const asPerson = { Authorization: 'Session', Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' }
    const me = await createApi(first.url).get('/me', asPerson)
    expect(me.object).to.include({ name: 'Operator', operator: true, api_key: '' })
    expect(me.object['items']).to.have.lengthOf(1)
    for (const forged of [{ Cookie: cookie }, { ...asPerson, 'Sec-Fetch-Site': 'cross-site' }])
      expect((await createApi(first.url).get('/me', forged)).status).to.equal(401)
    await first.stop()
    const second = await startOn(stores)
    expect(second.bootstrapped.setUp).to.equal(null)
    expect((await createApi(second.url).get('/me', asPerson)).status).to.equal(200)
    await second.stop()
  })

  it('creates the sample once, whatever is deleted or changed later, its instance included', async () => {
    const stores = newStores()
    const first = await startOn(stores, bootstrapOf(chosen))
    expect(first.bootstrapped.issued).to.deep.equal(chosen)
    await expectSample(first, chosen)
    const api = createApi(`${first.url}/1`, await tokenFor(first.url, chosen))
    const article = '/content/29d5b02b-7da4-4cad-89b8-788d25c64f9d'
    const recipe = '/content/1bf9d4bb-9deb-4630-a20f-ed13cd6cad04'
    await api.delete(article)
    await api.patch(recipe, { title: 'Be Quicker' })
    await first.stop()
    const second = await startOn(stores, bootstrapOf(chosen))
    const again = createApi(`${second.url}/1`, await tokenFor(second.url, chosen))
    expect((await again.get(article)).status).to.equal(404)
    expect((await again.get(recipe)).object['title']).to.equal('Be Quicker')
    expect(second.bootstrapped).to.deep.equal({
      issued: null,
      firstInstance: 1,
      sample: 1,
      idleKey: null,
      setUp: null,
    })

    const deletion = { number: 1, title: 'The Long Exposure', wait: async () => undefined }
    expect(E.isRight(await second.useCases.deleteInstance.run(deletion)())).to.equal(true)
    await second.stop()
    const third = await startOn(stores, bootstrapOf(chosen))
    expect(third.bootstrapped).to.deep.equal({
      issued: null,
      firstInstance: null,
      sample: null,
      idleKey: null,
      setUp: null,
    })
    expect(await instancesOf(third)).to.deep.equal([])
    // The key of the operator remains.
    expect(await keysOf(third)).to.deep.equal([chosen.api_key])
    expect(await welcome(third, configurationOf({}), true)).to.include('instance create')
    await third.stop()
  })

  for (const writes of [0, 4])
    it(`is completed by the next start if a store failed after ${writes} photographs`, async () => {
      const stores = newStores()
      let left = writes
      const failing: BlobStore = {
        ...stores.blobs,
        write: (...write) => {
          if (write[0] === 'store/identity') return stores.blobs.write(...write)
          left -= 1
          return left < 0
            ? async () => E.left(portFailure('blob store', new Error('the disk is full')))
            : stores.blobs.write(...write)
        },
      }
      const failure = await startOn({ ...stores, blobs: failing }, bootstrapOf(chosen)).then(
        () => null,
        (error: unknown) => error,
      )
      expect(String(failure)).to.match(/the sample failed: blob store: Error: the disk is full/)
      const service = await startOn(stores, bootstrapOf(chosen))
      expect(await instancesOf(service)).to.deep.equal([[1, 'The Long Exposure']])
      expect(await keysOf(service)).to.deep.equal([chosen.api_key])
      await expectSample(service, chosen)
      await service.stop()
    })

  it('of concurrent services creates one key and one sample', async () => {
    const stores = newStores()
    const services = await Promise.all([1, 2, 3].map(() => startOn(stores)))
    const issued = services.flatMap(({ bootstrapped }) => bootstrapped.issued ?? [])
    const [key] = issued
    if (key === undefined) throw new Error('nobody made a key')
    expect(issued).to.have.length(1)
    for (const service of services) {
      expect(await instancesOf(service)).to.deep.equal([[1, 'The Long Exposure']])
      expect(await keysOf(service)).to.deep.equal([key.api_key])
      await expectSample(service, key)
    }
    await Promise.all(services.map((service) => service.stop()))
  })

  it('adds no sample to an existing instance, and creates no key for it', async () => {
    const own = newStores()
    await changes(own.documents).insert('instances', 0, {
      id: '1',
      unique: null,
      value: { number: 1, settings: { title: 'Mine', timezone: 'UTC' } },
    })()
    const service = await startOn(own)
    expect(service.bootstrapped).to.deep.equal({
      issued: null,
      firstInstance: 1,
      sample: null,
      idleKey: null,
      setUp: null,
    })
    expect(await instancesOf(service)).to.deep.equal([[1, 'Mine']])
    expect(await keysOf(service)).to.deep.equal([])
    const text = await welcome(service, configurationOf({}), true)
    expect(text).to.include('key create --instance 1 --role admin')
    expect(text).to.not.include('instance create')
    expect(text).to.not.include('TOKEN=')
    await service.stop()

    // A configured first key is created for that instance.
    const chosenLater = await startOn(own, bootstrapOf(chosen))
    expect(chosenLater.bootstrapped).to.deep.include({ issued: chosen, sample: null })
    const { body } = await requestToken(chosenLater.url, chosen)
    expect(body['items']).to.deep.equal([{ id: 1, roles: ['admin'], url: `${chosenLater.url}/1` }])
    expect(await countOf(chosenLater.url, String(body['access_token']), 'content')).to.equal(0)
    await chosenLater.stop()
  })

  it('creates no second key for BOOTSTRAP_API_KEY, and logs a warning', async () => {
    const stores = newStores()
    await (await startOn(stores, bootstrapOf(chosen))).stop()
    const other = { api_key: 'another', api_secret: 'another-secret-altogether' }
    const configured = bootstrapOf(other)
    const later = await startOn(stores, configured)
    expect(later.bootstrapped).to.deep.include({ issued: null, idleKey: 'unknown' })
    expect((await requestToken(later.url, other)).status).to.equal(401)
    expect(await welcome(later, configurationOf(configured), true)).to.include(
      'BOOTSTRAP_API_KEY was ignored',
    )
    await later.useCases.administerKeys.revoke(chosen.api_key, true)()
    await later.stop()

    const revoked = await startOn(stores, bootstrapOf(chosen))
    expect(revoked.bootstrapped).to.deep.include({ issued: null, idleKey: 'revoked' })
    expect((await requestToken(revoked.url, chosen)).status).to.equal(401)
    expect(await welcome(revoked, configurationOf(bootstrapOf(chosen)), true)).to.include(
      'is revoked and cannot be used',
    )
    await revoked.stop()
  })
})
