/** API users with any number of keys and of roles on instances (docs/behaviour/access.md#keys). */
import { memoryDocumentStore } from '@publishing-service/adapter-memory'
import { notFound } from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { collections } from '../collections.js'
import { controllableStore, type ControllableStore } from '../test-support/controllable-document-store.js'
import { createStage, faultsOf, left, unavailable, right, type Stage } from '../test-support/stage.js'
import { userCommands, type UserCommands } from '../test-support/user-commands.js'
import type { UseCases } from '../use-cases.js'
import type { IssuedKey } from './administer-keys.js'
import { grantRole } from './user-operations.js'

const unknownUser = '11111111-1111-4111-8111-111111111111'

const noPerson = {
  email: null,
  email_confirmed: false,
  email_set_by: null,
  language: null,
  disabled: false,
}

describe('administering users', () => {
  let documents: ControllableStore
  let stage: Stage
  let users: UserCommands
  let keys: UseCases['administerKeys']
  beforeEach(async () => {
    documents = controllableStore(memoryDocumentStore(collections))
    stage = await createStage({ documents })
    users = userCommands(stage)
    keys = stage.useCases.administerKeys
    await right(stage.useCases.administerInstances.create({ title: 'Two', timezone: 'UTC' }))
  })

  const grantFor = ({ api_key: apiKey, api_secret: apiSecret }: IssuedKey) =>
    stage.useCases.exchangeToken({ grantType: 'client_credentials', apiKey, apiSecret, address: 'a' })
  const rolesFor = async (key: IssuedKey) => (await right(grantFor(key))).roles

  it('creates a user without roles, whose keys cannot be exchanged for a token', async () => {
    const { user } = await right(users.create('website'))
    expect(await right(users.list())).to.deep.equal([
      { user, name: 'website', operator: false, ...noPerson, roles: [], api_keys: [] },
    ])
    const key = await right(keys.create({ user }))
    expect(await left(grantFor(key))).to.deep.equal({ _tag: 'InvalidClient' })
    await right(users.grant(user, 2, 'reader'))
    expect(await rolesFor(key)).to.deep.equal([{ instance: 2, roles: ['reader'] }])
  })

  it('supports several roles and keys per user; each key has all roles', async () => {
    const first = await right(keys.create({ instance: 2, role: 'editor', name: 'Somebody' }))
    const [listed] = await right(users.list())
    if (listed === undefined) throw new Error('no user')
    await right(users.grant(listed.user, 1, 'admin'))
    await right(users.grant(listed.user, 2, 'reader'))
    const second = await right(keys.create({ user: listed.user.toUpperCase() }))
    const roles = [
      { instance: 1, roles: ['admin'] },
      { instance: 2, roles: ['reader', 'editor'] },
    ]
    for (const key of [first, second]) expect(await rolesFor(key)).to.deep.equal(roles)
    expect(await right(users.list())).to.deep.equal([
      {
        user: listed.user,
        name: 'Somebody',
        operator: false,
        ...noPerson,
        roles,
        api_keys: [first.api_key, second.api_key],
      },
    ])
    await right(keys.revoke(first.api_key))
    expect((await right(users.list()))[0]?.api_keys).to.deep.equal([second.api_key])
    expect((await right(keys.list())).map((row) => row.user)).to.deep.equal([listed.user, listed.user])
  })

  it('changes the roles of tokens in use within five seconds in every process', async () => {
    const { user } = await right(users.create('website'))
    await right(users.grant(user, 1, 'editor'))
    const { accessToken } = await right(grantFor(await right(keys.create({ user }))))
    const processes = [stage.useCases, stage.anotherProcess()]
    const held = () =>
      Promise.all(
        processes.map(async ({ principals }) => {
          const principal = await right(principals(accessToken))
          return [principal.roles.get(1) ?? null, principal.roles.get(2) ?? null]
        }),
      )
    const both = (...roles: readonly unknown[]) => [roles, roles]
    expect(await held()).to.deep.equal(both('editor', null))
    await right(users.revokeRole(user, { instance: 1, role: 'editor' }))
    await right(users.grant(user, 2, 'reader'))
    stage.clock.advance(5000)
    expect(await held()).to.deep.equal(both(null, 'reader'))
    await right(users.revokeRole(user, { instance: 2, role: null }))
    stage.clock.advance(5000)
    expect(await held()).to.deep.equal(both(null, null))
  })

  it('applies concurrent changes of several processes', async () => {
    const { user } = await right(users.create('website'))
    const held = documents.hold('replace', 'users')
    const granting = right(users.grant(user, 1, 'reader'))
    await held.reached
    await right(userCommands(stage, stage.anotherProcess()).grant(user, 2, 'editor'))
    held.release()
    expect((await granting).after.roles).to.deep.equal([
      { instance: 1, roles: ['reader'] },
      { instance: 2, roles: ['editor'] },
    ])
  })

  it('changes nothing if a role is granted or revoked again', async () => {
    const { user } = await right(users.create('website'))
    const { after } = await right(users.grant(user, 1, 'reader'))
    const unchanged = { before: after, after }
    expect(await right(users.grant(user, 1, 'reader'))).to.deep.equal(unchanged)
    expect(await right(users.revokeRole(user, { instance: 1, role: 'admin' }))).to.deep.equal(unchanged)
    expect(await right(users.revokeRole(user, { instance: 7, role: null }))).to.deep.equal(unchanged)
  })

  it('has what a command changed in the audit log, as what a request changed', async () => {
    const { user: id } = await right(users.create('website'))
    const input = { id, instance: 1, role: 'reader', parameters: {} } as const
    const made = await right(users.grant(id, 1, 'reader'))
    expect(grantRole.changed?.(input, made)).to.deep.equal([
      { object: id, instance: 1, title: 'website', changes: { roles: { before: [], after: ['reader'] } } },
    ])
  })

  it('rejects invalid values, and unknown users and instances', async () => {
    const { user } = await right(users.create('website'))
    expect(await faultsOf(users.create(' '))).to.have.keys(['name'])
    expect(await faultsOf(users.create('x'.repeat(256)))).to.have.keys(['name'])
    expect(await faultsOf(users.grant(user, 7, 'admin'))).to.deep.equal({
      instance: 'there is no instance 7',
    })
    expect(await left(users.grant(unknownUser, 1, 'admin'))).to.deep.equal(notFound)
    expect(await left(users.revokeRole(unknownUser, { instance: 1, role: null }))).to.deep.equal(notFound)
    for (const wrong of [unknownUser, 'nobody'])
      expect(await faultsOf(keys.create({ user: wrong }))).to.deep.equal({
        user: `there is no user ${wrong}`,
      })
    expect(await right(keys.list())).to.deep.equal([])
  })

  it('needs a confirmation where a change leaves an instance without an admin key', async () => {
    const lone = (what: string) => ({ confirm: `must be true: no admin would be left of ${what}` })
    const key = await right(keys.create({ instance: 1, role: 'admin' }))
    const { user = '' } = (await right(users.list()))[0] ?? {}
    await right(users.grant(user, 2, 'admin'))
    expect(await faultsOf(keys.revoke(key.api_key))).to.deep.equal(lone('the instances 1, 2'))
    const other = await right(keys.create({ instance: 2, role: 'admin' }))
    expect(await faultsOf(keys.revoke(key.api_key))).to.deep.equal(lone('instance 1'))
    for (const role of ['admin', null] as const)
      expect(await faultsOf(users.revokeRole(user, { instance: 1, role }))).to.deep.equal(lone('instance 1'))
    await right(users.revokeRole(user, { instance: 1, role: 'editor' }))
    await right(keys.revoke(key.api_key, true))
    await right(users.revokeRole(user, { instance: 2, role: 'admin' }))
    expect(await faultsOf(keys.revoke(other.api_key))).to.deep.equal(lone('instance 2'))
    await right(keys.revoke(other.api_key, true))
    await right(keys.revoke(other.api_key))
    expect(await left(keys.revoke('unknown'))).to.deep.equal(notFound)
  })

  it('needs a confirmation where keys that others have made gain rights that these do not have', async () => {
    const makerOf1 = { user: (await right(users.create('admin of 1'))).user, name: 'admin of 1' }
    await right(users.grant(makerOf1.user, 1, 'admin'))
    const { user } = await right(users.create('website'))
    await right(users.grant(user, 1, 'reader'))
    await right(keys.create({ user }))
    await right(users.grant(user, 2, 'reader'))
    const made = await right(keys.create({ user }, makerOf1))
    expect((await right(keys.list())).map((row) => [row.created_by, row.created_by_name])).to.deep.equal([
      [null, null],
      [makerOf1.user, makerOf1.name],
    ])
    await right(users.grant(user, 1, 'editor'))
    const effect = (where: string) =>
      `must be true: keys that “admin of 1” has made would have rights ${where} that “admin of 1” does not have`
    expect(await faultsOf(users.grant(user, 2, 'admin'))).to.deep.equal({ confirm: effect('on instance 2') })
    expect(await faultsOf(users.setOperator(user, true))).to.deep.equal({
      confirm: effect('on the whole deployment'),
    })
    await right(users.revokeRole(user, { instance: 2, role: 'reader' }))
    await right(users.grant(user, 2, 'editor', true))
    await right(keys.revoke(made.api_key))
    await right(users.grant(user, 2, 'admin'))
  })

  it('works with the users and keys that release 0.1.0 has stored', async () => {
    const user = '22222222-2222-4222-8222-222222222222'
    const store = (collection: string, id: string, value: JsonObject) =>
      right(documents.insert(collection, 0, { id, unique: null, value }))
    await store('users', user, { name: 'editor of 1', roles: [{ instance: 1, roles: ['editor'] }] })
    await store('keys', 'old-key', { user, secret: 'hash of old-secret', created: 1, revoked: null })
    const old = { api_key: 'old-key', api_secret: 'old-secret' }
    const { accessToken } = await right(grantFor(old))
    expect((await right(stage.useCases.principals(accessToken))).roles.get(1)).to.equal('editor')
    const row = {
      user,
      name: 'editor of 1',
      operator: false,
      ...noPerson,
      roles: [{ instance: 1, roles: ['editor'] }],
    }
    expect(await right(users.list())).to.deep.equal([{ ...row, api_keys: ['old-key'] }])
    expect(await right(keys.list())).to.deep.equal([
      {
        api_key: 'old-key',
        ...row,
        created: '1970-01-01T00:00:00.001Z',
        revoked: null,
        created_by: null,
        created_by_name: null,
      },
    ])
    await right(users.grant(user, 2, 'admin'))
    await right(users.revokeRole(user, { instance: 1, role: 'editor' }))
    const added = await right(keys.create({ user }))
    for (const key of [old, added])
      expect(await rolesFor(key)).to.deep.equal([{ instance: 2, roles: ['admin'] }])
    await right(keys.revoke('old-key'))
    expect(await left(grantFor(old))).to.deep.equal({ _tag: 'InvalidClient' })
    await right(grantFor(added))
  })

  it('fails if its stores fail', async () => {
    const { user } = await right(users.create('website'))
    documents.fail('insert', 'users')
    expect(await left(users.create('another'))).to.deep.equal(unavailable)
    documents.fail('find', 'users')
    expect(await left(users.list())).to.deep.equal(unavailable)
    documents.fail('find', 'keys')
    expect(await left(users.list())).to.deep.equal(unavailable)
    documents.fail('get', 'instances')
    expect(await left(users.grant(user, 1, 'reader'))).to.deep.equal(unavailable)
    documents.fail('replace', 'users')
    expect(await left(users.grant(user, 1, 'reader'))).to.deep.equal(unavailable)
    documents.fail('get', 'users')
    expect(await left(keys.create({ user }))).to.deep.equal(unavailable)
    expect((await right(users.list()))[0]).to.deep.include({ roles: [], api_keys: [] })
  })
})
