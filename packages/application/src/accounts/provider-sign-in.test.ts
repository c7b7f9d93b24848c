/** Sign-in with a provider of OpenID Connect: docs/sign-in.md. */
import { simpleIdentityProvider } from '@publishing-service/adapter-memory'
import { claimRolesOf, type ProviderRules } from '@publishing-service/access'
import { E } from '@publishing-service/domain/fp'
import type { ExternalIdentity } from '@publishing-service/ports'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { listIdentities, removeIdentity, setPassword } from '../deployment-operations.js'
import { everyInterleaving } from '../test-support/every-interleaving.js'
import {
  change,
  createAda,
  createUser,
  email,
  operator,
  password,
  problemOf,
  runAs,
  visit,
  visitFrom,
} from '../test-support/people.js'
import { begin, finish, signInAtProvider } from '../test-support/provider-sign-in.js'
import {
  createStage,
  deployment,
  processOver,
  left,
  right,
  unavailable,
  type Stage,
} from '../test-support/stage.js'
import type { UseCases } from '../use-cases.js'

const eve: ExternalIdentity = {
  issuer: 'https://id.example.org',
  subject: 'eve',
  name: 'Eve',
  email: 'eve@example.org',
  isEmailVerified: true,
  claims: { groups: ['editors'] },
}

const read = claimRolesOf('groups:editors=1/editor,groups:admins=1/admin,groups:others=9/editor')
const roles = E.isRight(read) ? read.right : []

const start = async (
  unknown: ProviderRules['unknown'],
  people: Readonly<Record<string, ExternalIdentity>> = { eve },
): Promise<{ stage: Stage; useCases: UseCases }> => {
  const identityProvider = simpleIdentityProvider(people)
  const stage = await createStage({ identityProvider })
  const rules = { button: 'Example', roles, unknown }
  return { stage, useCases: processOver(stage, { ...deployment, provider: rules }) }
}

const signIn = (useCases: UseCases, code = 'eve') => signInAtProvider(useCases, code)

/** A process whose provider says that Eve is in these groups. */
const processWithGroups = (stage: Stage, groups: readonly string[]): UseCases =>
  processOver(
    { ...stage, identityProvider: simpleIdentityProvider({ eve: { ...eve, claims: { groups } } }) },
    { ...deployment, provider: { button: 'Example', roles, unknown: 'create' } },
  )

describe('a sign-in with a provider', () => {
  it('makes a person with the roles of the claims, and knows them again', async () => {
    const { useCases } = await start('create')
    const first = await signIn(useCases)
    if (E.isLeft(first)) throw new Error(first.left)
    expect(first.right.to).to.equal('/1/content')
    const principal = await right(useCases.principals(first.right.token))
    expect([principal.user, principal.roles.get(1)]).to.deep.equal(['Eve', 'editor'])
    const again = await signIn(useCases)
    expect(E.isRight(again) && again.right.user).to.equal(first.right.user)
  })

  it('makes one person of two first sign-ins at once, at any processes, and after a crash', async () => {
    const runs = await everyInterleaving(async () => {
      const { stage, useCases } = await start('create')
      const begun = [await begin(useCases), await begin(useCases)]
      return {
        store: stage.documents,
        collections: ['users', 'accounts'],
        turn: stage.clock.turn,
        crashes: 1,
        processes: begun.map((each) => async (documents) => {
          const facts = { ...deployment, provider: { button: 'Example', roles, unknown: 'create' } as const }
          return finish(processOver({ ...stage, documents }, facts), 'eve', each)
        }),
        verify: async (answers) => {
          const again = await signIn(useCases)
          if (E.isLeft(again)) throw new Error(again.left)
          for (const answer of answers)
            if (answer !== null)
              expect(E.isRight(answer) ? answer.right.user : answer.left).to.equal(again.right.user)
          expect(await useCases.administerUsers.list()).to.have.length(1)
        },
      }
    }, 40)
    expect(runs).to.equal(40)
  })

  it('takes away the roles that the provider decides about, and no others', async () => {
    const { stage } = await start('create')
    const as = (groups: readonly string[]) => processWithGroups(stage, groups)
    const first = await signIn(as(['editors', 'others']))
    const user = E.isRight(first) ? first.right.user : ''
    const held = async () => (await stage.useCases.administerUsers.find(operator, user)).roles
    expect(await held()).to.deep.equal([{ instance: 1, roles: ['editor'] }])
    const more = { instance: 1, roles: ['reader' as const, 'editor' as const] }
    await change(stage, user, { roles: [more] })
    await signIn(as([]))
    expect(await held()).to.deep.equal([{ instance: 1, roles: ['reader'] }])
  })

  it('leaves the last admin of an instance its role, and logs that', async () => {
    const { stage } = await start('create')
    const as = (groups: readonly string[]) => processWithGroups(stage, groups)
    const first = await signIn(as(['admins']))
    const user = E.isRight(first) ? first.right.user : ''
    expect(E.isRight(await signIn(as([])))).to.equal(true)
    const { roles: held } = await stage.useCases.administerUsers.find(operator, user)
    expect(held).to.deep.equal([{ instance: 1, roles: ['admin'] }])
    expect(stage.log.entries().map(({ event }) => event)).to.include('roles of the provider not applied')
  })

  it('finds an account by a verified address, and refuses other people', async () => {
    const ofAda = { ...eve, subject: 'ada', email: email.toUpperCase() }
    const people = { ada: ofAda, unverified: { ...ofAda, subject: 'x', isEmailVerified: false }, eve }
    const { stage, useCases } = await start('match-email', people)
    const ada = await createAda(stage)
    expect(await signIn(useCases, 'unverified')).to.deep.equal(E.left('account_unknown'))
    expect(await signIn(useCases, 'eve')).to.deep.equal(E.left('account_unknown'))
    const found = await signIn(useCases, 'ada')
    expect(E.isRight(found) && found.right.user).to.equal(ada.user)
    const strict = await start('refuse', people)
    await createAda(strict.stage)
    expect(await signIn(strict.useCases, 'ada')).to.deep.equal(E.left('account_unknown'))
  })

  it('never takes the address of another user', async () => {
    const { stage, useCases } = await start('create')
    await createUser(stage, { name: 'Other', email: 'eve@example.org' })
    const made = await signIn(useCases)
    const user = E.isRight(made) ? made.right.user : ''
    expect((await stage.useCases.administerUsers.find(operator, user)).email).to.equal(null)
  })

  it('ends at the browser that has begun it, once, within five minutes', async () => {
    const { stage, useCases } = await start('create')
    const expired = E.left('provider_expired')
    const begun = await begin(useCases)
    expect(await finish(useCases, 'eve', { ...begun, secret: 'of another' })).to.deep.equal(expired)
    expect(E.isRight(await finish(useCases, 'eve', begun))).to.equal(true)
    expect(await finish(useCases, 'eve', begun)).to.deep.equal(expired)
    const late = await begin(useCases)
    stage.clock.advance(5 * 60_000)
    expect(await finish(useCases, 'eve', late)).to.deep.equal(expired)
    expect(await signIn(useCases, 'nobody')).to.deep.equal(E.left('provider_refused'))
  })

  it('ends the session that the browser had when it was begun', async () => {
    const { stage, useCases } = await start('create')
    const earlier = await (await createAda(stage)).setUp()
    const begun = await begin(useCases, '/', visitFrom('192.0.2.1', earlier))
    expect(E.isRight(await finish(useCases, 'nobody', begun))).to.equal(false)
    stage.clock.advance(5000)
    await right(useCases.principals(earlier))
    const again = await begin(useCases, '/', visitFrom('192.0.2.1', earlier))
    expect(E.isRight(await finish(useCases, 'eve', again))).to.equal(true)
    stage.clock.advance(5000)
    expect(await left(useCases.principals(earlier))).to.deep.equal({ _tag: 'InvalidToken' })
  })

  it('has an identity that the person reads and removes after a recent sign-in, as long as another way in is left', async () => {
    const { stage, useCases } = await start('create')
    await signIn(useCases)
    stage.clock.advance(60_000)
    const again = await signIn(useCases)
    const token = E.isRight(again) ? again.right.token : ''
    const [identity] = await runAs(stage, token, listIdentities, null)
    expect(identity).to.include({
      provider: eve.issuer,
      created: '2026-03-01T12:00:00.000Z',
      last_used: '2026-03-01T12:01:00.000Z',
    })
    const remove = (key: string) => problemOf(() => runAs(stage, token, removeIdentity, { key }))
    const key = String(identity?.['id'])
    expect(await remove(key)).to.have.property('_tag', 'BadParameters')
    await runAs(stage, token, setPassword, { body: { password } })
    expect(await remove('of another')).to.have.property('_tag', 'NotFound')
    stage.clock.advance(16 * 60_000)
    expect(await remove(key)).to.deep.equal({ _tag: 'Forbidden', reason: 'sign-in' })
    stage.clock.advance(-16 * 60_000)
    expect(await remove(key)).to.equal(null)
    expect(await runAs(stage, token, listIdentities, null)).to.deep.equal([])
    expect(await signIn(useCases)).to.deep.equal(E.left('account_unknown'))
  })

  it('is refused for a disabled person', async () => {
    const { stage, useCases } = await start('create')
    const first = await signIn(useCases)
    const user = E.isRight(first) ? first.right.user : ''
    await change(stage, user, { disabled: true })
    expect(await signIn(useCases)).to.deep.equal(E.left('account_disabled'))
  })

  it('reports that the provider is unavailable, or that there is none', async () => {
    const { useCases: without } = await createStage()
    expect(await without.signIn.provider.begin(visit, '/')).to.deep.equal(E.left('provider_off'))
    const away = async () => E.left(unavailable)
    const identityProvider = { check: () => away, begin: () => away, finish: () => away, signOut: () => away }
    const { signIn: unreachable } = (await createStage({ identityProvider })).useCases
    expect(await unreachable.provider.begin(visit, '/')).to.deep.equal(E.left('provider_unavailable'))
    expect(await unreachable.provider.signOut('/')).to.equal(null)
  })
})
