import { memoryDocumentStore } from '@publishing-service/adapter-memory'
import { notFound } from '@publishing-service/domain'
import { E, TE } from '@publishing-service/domain/fp'
import { roles } from '@publishing-service/domain/roles'
import type { Secrets } from '@publishing-service/ports'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { collections } from '../collections.js'
import { controllableStore, type ControllableStore } from '../test-support/controllable-document-store.js'
import {
  createStage,
  faultsOf,
  left,
  openSecrets,
  unavailable,
  right,
  start,
  type Stage,
} from '../test-support/stage.js'
import { userCommands } from '../test-support/user-commands.js'
import type { UseCases } from '../use-cases.js'

describe('administering keys', () => {
  let documents: ControllableStore
  let stage: Stage
  let keys: UseCases['administerKeys']
  beforeEach(async () => {
    documents = controllableStore(memoryDocumentStore(collections))
    stage = await createStage({ documents })
    keys = stage.useCases.administerKeys
  })

  it('generates a key and a secret, and stores the secret as a hash', async () => {
    const issued = await right(keys.create({ instance: 1, role: 'editor', name: 'Somebody' }))
    expect(issued).to.have.keys(['api_key', 'api_secret'])
    const rows = await right(keys.list())
    expect(rows).to.deep.equal([
      {
        api_key: issued.api_key,
        user: '00000000-0000-4000-8000-000000000003',
        name: 'Somebody',
        operator: false,
        email: null,
        email_confirmed: false,
        email_set_by: null,
        language: null,
        disabled: false,
        roles: [{ instance: 1, roles: ['editor'] }],
        created: new Date(start).toISOString(),
        revoked: null,
        created_by: null,
        created_by_name: null,
      },
    ])
    const stored = await documents.get('keys', 0, issued.api_key)()
    expect(JSON.stringify(stored)).to.include(`"secret":"hash of ${issued.api_secret}"`)
  })

  it('refuses a name of several lines, and an empty one', async () => {
    for (const name of ['Ann\nLocked', '', 'x'.repeat(256)])
      for (const owner of [{ instance: 1, role: 'editor' }, { operator: true as const }])
        expect(await faultsOf(keys.create({ ...owner, name }))).to.have.keys('name')
  })

  it('accepts chosen values, each key once', async () => {
    const chosen = { instance: 1, role: 'admin', apiKey: 'chosen-key_1', apiSecret: 'chosen-secret_16x' }
    expect(await right(keys.create(chosen))).to.deep.equal({
      api_key: 'chosen-key_1',
      api_secret: 'chosen-secret_16x',
    })
    expect(await faultsOf(keys.create(chosen))).to.have.keys(['api_key'])
    expect(await right(keys.list())).to.have.lengthOf(1)
  })

  it('reports all faults of a request', async () => {
    const wrong = { instance: 0, role: 'king', apiKey: 'a key', apiSecret: 'short' }
    expect(await faultsOf(keys.create(wrong))).to.have.keys(['role', 'instance', 'api_key', 'api_secret'])
    expect(await faultsOf(keys.create({ instance: 7, role: 'admin' }))).to.deep.equal({
      instance: 'there is no instance 7',
    })
    expect(await right(keys.list())).to.deep.equal([])
  })

  it('lists all keys in the order of their creation, however many', async () => {
    const made: string[] = []
    for (let count = 0; count < 1100; count += 1) {
      stage.clock.advance(1)
      const role = roles[count % roles.length] ?? 'reader'
      made.push((await right(keys.create({ instance: 1, role }))).api_key)
    }
    expect((await right(keys.list())).map(({ api_key: key }) => key)).to.deep.equal(made)
  })

  it('revokes a key once, and retains the time', async () => {
    const { api_key: key } = await right(keys.create({ instance: 1, role: 'reader' }))
    stage.clock.advance(5)
    await right(keys.revoke(key))
    stage.clock.advance(5)
    await right(keys.revoke(key))
    expect((await right(keys.list()))[0]).to.include({ revoked: new Date(start + 5).toISOString() })
    expect(await left(keys.revoke('unknown'))).to.deep.equal(notFound)
  })

  it('revokes a key that another process changes concurrently', async () => {
    const { api_key: key } = await right(keys.create({ instance: 1, role: 'reader' }))
    const held = documents.hold('replace', 'keys')
    const revoking = right(keys.revoke(key))
    await held.reached
    await right(stage.anotherProcess().administerKeys.revoke(key))
    held.release()
    await revoking
  })

  it('allows 20 keys of a user that are not revoked, also where several are created at once', async () => {
    const { user } = await right(userCommands(stage).create('website'))
    const processes = [stage.useCases, stage.anotherProcess()]
    const results = await Promise.all(
      processes.flatMap(({ administerKeys }) =>
        Array.from({ length: 12 }, () => administerKeys.create({ user })()),
      ),
    )
    const made = results.flatMap((result) => (result._tag === 'Right' ? [result.right] : []))
    expect(made).to.have.lengthOf(20)
    for (const result of results)
      if (result._tag === 'Left') expect(result.left).to.deep.equal({ _tag: 'TooManyKeys', limit: 20 })
    await right(keys.revoke(made[0]?.api_key ?? ''))
    await right(keys.create({ user }))
    expect(await left(keys.create({ user }))).to.have.property('_tag', 'TooManyKeys')
  })

  it('hashes one secret of a caller at a time, lets 8 wait, and refuses more', async () => {
    const { user } = await right(userCommands(stage).create('website'))
    let [hashing, most] = [0, 0]
    const secrets: Secrets = {
      ...openSecrets,
      hash: (secret) => async () => {
        most = Math.max(most, (hashing += 1))
        for (let turn = 0; turn < 10; turn += 1) await stage.clock.turn()
        hashing -= 1
        return E.right(secret)
      },
    }
    const { administerKeys } = stage.anotherProcess({ secrets })
    const maker = { user: 'maker', name: 'maker' }
    const results = await Promise.all(
      Array.from({ length: 10 }, () => administerKeys.create({ user }, maker)()),
    )
    expect(most).to.equal(1)
    expect(results.filter(E.isLeft)).to.deep.equal([E.left({ _tag: 'TooManyRequests', retryAfter: 1 })])
  })

  it('fails if its stores fail, or too many secrets wait', async () => {
    const request = { instance: 1, role: 'reader' }
    for (const [call, collection] of [
      ['get', 'instances'],
      ['insert', 'users'],
      ['insert', 'keys'],
    ] as const) {
      documents.fail(call, collection)
      expect(await left(keys.create(request))).to.deep.equal(unavailable)
    }
    for (const [call, collection] of [
      ['find', 'keys'],
      ['getRelated', 'users'],
    ] as const) {
      documents.fail(call, collection)
      expect(await left(keys.list())).to.deep.equal(unavailable)
    }
    documents.fail('get', 'keys')
    expect(await left(keys.revoke('any'))).to.deep.equal(unavailable)
    const busy = { ...openSecrets, hash: () => TE.left({ _tag: 'SecretsBusy' } as const) }
    const { administerKeys } = stage.anotherProcess({ secrets: busy })
    expect(await left(administerKeys.create(request))).to.deep.equal({ _tag: 'Unavailable', retryAfter: 1 })
  })

  it('does not remove the user of a key that was written although the store failed', async () => {
    const request = { instance: 1, role: 'reader', apiKey: 'key', apiSecret: 'a-secret-of-sixteen' }
    documents.fail('insert', 'keys', true)
    expect(await left(keys.create(request))).to.deep.equal(unavailable)
    expect((await right(keys.list()))[0]).to.deep.include({ roles: [{ instance: 1, roles: ['reader'] }] })
  })
})
