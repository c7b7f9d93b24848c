/** Accounts of people: docs/behaviour/accounts.md. */
import type { Secrets } from '@publishing-service/ports'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { userOf } from '@publishing-service/access'
import { failWithAny } from '../attempt.js'
import { unrecorded } from '../recording.js'
import {
  changeAccount,
  changeUser,
  endSessions,
  listSessions,
  readAccount,
  removeLinks,
  removePassword,
  setPassword,
} from '../deployment-operations.js'
import { createStage, openSecrets, left, right, type Stage, storedIn } from '../test-support/stage.js'
import {
  allButOne,
  change,
  createAda,
  createPerson,
  createUser,
  email,
  operator,
  password,
  problemOf,
  runAsOperator,
  visit,
  visitFrom,
  type Person,
} from '../test-support/people.js'
import type { UseCases } from '../use-cases.js'

const hour = 3_600_000
const failed = { _tag: 'SignInFailed' }
const invalid = { _tag: 'InvalidToken' }
const used = { _tag: 'LinkInvalid' }

describe('people who sign in', () => {
  let stage: Stage
  let ada: Person
  let user: string
  beforeEach(async () => {
    stage = await createStage()
    ada = await createAda(stage)
    ;({ user } = ada)
  })

  it('set up their account with a link, once, and are signed in with their roles', async () => {
    const token = await ada.link()
    expect(await stage.useCases.signIn.readLink(visit, { token }, failWithAny)).to.deep.equal({
      kind: 'invitation',
      name: 'Ada',
      email,
      language: null,
      has_way_in: false,
    })
    const begun = await ada.useLink(token, { name: 'Ada L.', password })
    const principal = await right(stage.useCases.principals(begun.token))
    expect(principal.user).to.equal('Ada L.')
    expect([...principal.roles]).to.deep.equal([[1, 'editor']])
    expect(await problemOf(() => ada.useLink(token))).to.deep.equal(used)
    expect((await ada.signIn()).user).to.equal(user)
  })

  it('use a link in one process only, of two at once', async () => {
    const token = await ada.link()
    const problems = await allButOne([
      () => ada.useLink(token),
      () => ada.useLink(token, { password }, stage.anotherProcess()),
    ])
    expect(problems).to.deep.equal([used])
  })

  it('cannot use a link that has expired, was revoked or replaced, or whose user is disabled', async () => {
    const first = await ada.link()
    const second = await ada.link()
    expect(await problemOf(() => ada.useLink(first))).to.deep.equal(used)
    stage.clock.advance(72 * hour)
    expect(await problemOf(() => ada.useLink(second))).to.deep.equal(used)
    const third = await ada.link()
    await runAsOperator(stage, removeLinks, { user })
    expect(await problemOf(() => ada.useLink(third))).to.deep.equal(used)
    const fourth = await ada.link()
    await runAsOperator(stage, changeUser, { id: user, body: { disabled: true }, parameters: {} })
    expect(await problemOf(() => ada.useLink(fourth))).to.deep.equal(used)
  })

  it('keep a link whose use has a fault', async () => {
    const token = await ada.link()
    const problem = await problemOf(() => ada.useLink(token, { password: 'short' }))
    expect(problem).to.have.property('_tag', 'BadParameters')
    expect(await problemOf(() => ada.useLink(token, {}))).to.have.property('_tag', 'BadParameters')
    expect((await ada.useLink(token)).user).to.equal(user)
  })

  it('cannot take the e-mail address of another', async () => {
    const bob = { name: 'Bob', email: 'bob@example.org' }
    await createUser(stage, bob)
    const token = await ada.link()
    const problem = await problemOf(() => ada.useLink(token, { email: 'BOB@example.org', password }))
    expect(problem).to.have.property('_tag', 'BadParameters')
    const { administerUsers } = stage.useCases
    expect(
      await problemOf(() => administerUsers.create(operator, userOf(bob), unrecorded.write)),
    ).to.have.property('_tag', 'BadParameters')
  })

  it('get the same answer for a wrong password, an unknown address and a disabled account', async () => {
    await ada.setUp()
    expect(await problemOf(() => ada.signIn('another password'))).to.deep.equal(failed)
    expect(await problemOf(() => ada.signIn(password, visit, 'nobody@example.org'))).to.deep.equal(failed)
    await change(stage, user, { disabled: true })
    expect(await problemOf(() => ada.signIn())).to.deep.equal(failed)
  })

  it('take the same work where the address is unknown', async () => {
    const verified: (string | null)[] = []
    const counting: Secrets = {
      ...openSecrets,
      verify: (secret, hash) => {
        verified.push(hash)
        return openSecrets.verify(secret, hash)
      },
    }
    stage = await createStage({ secrets: counting })
    ada = await createAda(stage)
    await ada.setUp()
    await problemOf(() => ada.signIn('another password'))
    await problemOf(() => ada.signIn(password, visit, 'nobody@example.org'))
    expect(verified).to.have.length(2)
    expect(verified[1]).to.equal(null)
  })

  it('wait after ten wrong passwords from one address, and not from others', async () => {
    await ada.setUp()
    for (let guess = 0; guess < 10; guess += 1) await problemOf(() => ada.signIn('another password'))
    expect(await problemOf(() => ada.signIn())).to.have.property('_tag', 'TooManyRequests')
    expect((await ada.signIn(password, visitFrom('192.0.2.2'))).user).to.equal(user)
  })

  it('can sign in while others guess from many addresses, which become slower', async () => {
    await ada.setUp()
    const guess = (address: string) => problemOf(() => ada.signIn('another password', visitFrom(address)))
    for (let count = 0; count < 60; count += 1) await guess(`192.0.2.${count + 100}`)
    const slowed = []
    for (let count = 0; count < 4; count += 1) slowed.push(await guess('198.51.100.1'))
    expect(slowed.map((problem) => problem?._tag)).to.deep.equal([
      'SignInFailed',
      'SignInFailed',
      'SignInFailed',
      'TooManyRequests',
    ])
    expect((await ada.signIn(password, visitFrom('198.51.100.2'))).user).to.equal(user)
  })

  it('sign in with a known browser while others fail at its address, and wait after its own failures', async () => {
    await ada.setUp()
    const bob = await createPerson(stage, { name: 'Bob', email: 'bob@example.org' })
    await bob.setUp()
    const from = (browserToken: string | null) => visitFrom(visit.address, null, browserToken)
    const guess = (browserToken: string | null) =>
      problemOf(() => ada.signIn('another password', from(browserToken)))
    const { browserToken } = await ada.signIn()
    const ofBob = (await bob.signIn()).browserToken
    for (let count = 0; count < 10; count += 1) await guess(null)
    for (const unknown of [null, '', 'x', `${browserToken}x`, `x${browserToken}`, ofBob])
      expect(await guess(unknown), unknown ?? 'null').to.have.property('_tag', 'TooManyRequests')
    expect((await ada.signIn(password, from(browserToken))).user).to.equal(user)
    for (let count = 0; count < 10; count += 1) expect(await guess(browserToken)).to.deep.equal(failed)
    expect(await guess(browserToken)).to.have.property('_tag', 'TooManyRequests')
  })

  it('make their browsers unknown with a new password', async () => {
    const token = await ada.setUp()
    const { browserToken } = await ada.signIn()
    const chosen = 'seven quiet rivers run'
    await ada.as(token, setPassword, { body: { password: chosen } })
    for (let count = 0; count < 10; count += 1) await problemOf(() => ada.signIn())
    const problem = await problemOf(() => ada.signIn(chosen, visitFrom(visit.address, null, browserToken)))
    expect(problem).to.have.property('_tag', 'TooManyRequests')
  })

  it('wait for failures that other processes have counted', async () => {
    await ada.setUp()
    const other = stage.anotherProcess()
    const exchange = async () => {
      for (const { sharedRates } of [stage.useCases, other, stage.useCases]) await sharedRates.exchange()
    }
    await exchange()
    const guessAt = ({ signIn: { withPassword } }: UseCases, chosen = 'another password') =>
      problemOf(() => withPassword(visit, { email, password: chosen }, failWithAny))
    const accepted = { one: 0, other: 0 }
    for (let second = 0; second < 20; second += 1) {
      for (let burst = 0; burst < 10; burst += 1) {
        if ((await guessAt(stage.useCases))?._tag === 'SignInFailed') accepted.one += 1
        if ((await guessAt(other))?._tag === 'SignInFailed') accepted.other += 1
      }
      stage.clock.advance(1000)
      await exchange()
    }
    expect(accepted.one + accepted.other).to.be.within(10, 11)
    for (const useCases of [stage.useCases, other])
      expect(await guessAt(useCases, password)).to.deep.equal({ _tag: 'TooManyRequests', retryAfter: 40 })
  })

  it('have a new token at each sign-in, which ends the session of the browser', async () => {
    const first = await ada.setUp()
    const second = await ada.signIn(password, visitFrom('192.0.2.1', first))
    expect(second.token).not.to.equal(first)
    expect(await left(stage.useCases.principals(first))).to.deep.equal(invalid)
    await right(stage.useCases.principals(second.token))
  })

  it('stay signed in while they work, until 30 days have passed', async () => {
    const token = await ada.setUp()
    for (let hours = 0; hours < 30 * 24; hours += 11) {
      await right(stage.useCases.principals(token))
      stage.clock.advance(11 * hour)
    }
    expect(await left(stage.useCases.principals(token))).to.deep.equal(invalid)
    const idle = (await ada.signIn()).token
    stage.clock.advance(12 * hour)
    expect(await left(stage.useCases.principals(idle))).to.deep.equal(invalid)
  })

  it('are signed out on every process within five seconds', async () => {
    const [first, second] = [await ada.setUp(), (await ada.signIn()).token]
    const other = stage.anotherProcess()
    await right(other.principals(first))
    await stage.useCases.signIn.signOut(first, '/')
    expect(await left(stage.useCases.principals(first))).to.deep.equal(invalid)
    expect((await ada.as(second, listSessions, { parameters: {} })).items).to.have.length(1)
    await ada.as(second, endSessions, null)
    stage.clock.advance(5000)
    for (const useCases of [stage.useCases, other])
      for (const token of [first, second])
        expect(await left(useCases.principals(token))).to.deep.equal(invalid)
  })

  it('change their ways in only shortly after a sign-in, and never remove the last one', async () => {
    const token = await ada.setUp()
    const another = (await ada.signIn()).token
    await ada.as(token, setPassword, { body: { password: 'seven quiet rivers run' } })
    stage.clock.advance(5000)
    expect(await left(stage.useCases.principals(another))).to.deep.equal(invalid)
    expect(await problemOf(() => ada.signIn())).to.deep.equal(failed)
    expect(await problemOf(() => ada.as(token, removePassword, null))).to.have.property(
      '_tag',
      'BadParameters',
    )
    stage.clock.advance(hour)
    const late = await problemOf(() => ada.as(token, setPassword, { body: { password } }))
    expect(late).to.deep.equal({ _tag: 'Forbidden', reason: 'sign-in' })
  })

  it('change their name and language, and read what they have', async () => {
    const token = await ada.setUp()
    await ada.as(token, changeAccount, { body: { language: 'de', name: 'Ada Lovelace' }, dashboard: null })
    const account = await ada.as(token, readAccount, null)
    expect(account).to.include({
      name: 'Ada Lovelace',
      language: 'de',
      email,
      has_password: true,
      passkeys: 0,
    })
  })

  it('lose the session of a key with the key', async () => {
    const { administerKeys, signIn: signInWith, principals } = stage.useCases
    const key = await right(administerKeys.create({ user, apiKey: 'key' }))
    const { token } = await signInWith.withKey(visit, { ...key }, failWithAny)
    expect((await right(principals(token))).key).to.equal('')
    await right(administerKeys.revoke('key'))
    stage.clock.advance(5000)
    expect(await left(principals(token))).to.deep.equal(invalid)
  })

  it('leave nothing behind when they are deleted', async () => {
    const token = await ada.setUp()
    const open = await ada.link()
    await stage.useCases.administerUsers.remove(operator, user, true, unrecorded.write)
    stage.clock.advance(5000)
    expect(await left(stage.useCases.principals(token))).to.deep.equal(invalid)
    expect(await problemOf(() => ada.useLink(open))).to.deep.equal(used)
    expect(await problemOf(() => ada.signIn())).to.deep.equal(failed)
  })

  it('leave no account behind when they are deleted with their only instance', async () => {
    const token = await ada.setUp()
    const wait = async () => undefined
    const title = 'The Daily Test'
    await right(stage.useCases.deleteInstance.run({ number: 1, title, wait }))
    for (const collection of ['users', 'accounts', 'sign_in_sessions', 'sign_in_links'])
      expect(await storedIn(stage.documents, collection), collection).to.deep.equal([])
    stage.clock.advance(5000)
    expect(await left(stage.useCases.principals(token))).to.deep.equal(invalid)
  })

  it('count as a way in where the last operator would lose its rights', async () => {
    const eve = await createPerson(stage, { name: 'Eve', operator: true })
    await eve.useLink(await eve.link('set-up'), { email: 'eve@example.org', password })
    const disable = (isConfirmed: boolean) => () =>
      stage.useCases.administerUsers.change(
        operator,
        eve.user,
        (before) => ({ ...before, disabled: true }),
        isConfirmed,
        unrecorded.write,
      )
    expect(await problemOf(disable(false))).to.have.property('_tag', 'BadParameters')
    expect(await problemOf(disable(true))).to.equal(null)
  })
})
