/** Passkeys of people: docs/behaviour/accounts.md#passkeys. */
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import type { JsonObject } from '@publishing-service/domain/json'
import { failWithAny } from '../attempt.js'
import {
  addPasskey,
  changePasskey,
  createPasskeyOptions,
  listPasskeys,
  removePasskey,
  removePassword,
} from '../deployment-operations.js'
import {
  allButOne,
  base,
  change,
  createAda,
  createPerson,
  dashboard,
  problemOf,
  runAs,
  visit,
  type Person,
} from '../test-support/people.js'
import { createStage, left, right, type Stage } from '../test-support/stage.js'

const failed = { _tag: 'SignInFailed' }
const minute = 60_000

describe('passkeys', () => {
  let stage: Stage
  let ada: Person
  let token: string
  beforeEach(async () => {
    stage = await createStage()
    ada = await createAda(stage)
    token = await ada.setUp()
  })

  const challengeIn = ({ challenge = '' }: JsonObject): string => String(challenge)
  const add = async (id: string, as = token) => {
    const challenge = challengeIn(await runAs(stage, as, createPasskeyOptions, { base }))
    return runAs(stage, as, addPasskey, { base, body: { title: 'Laptop', answer: { challenge, id } } })
  }
  const challenge = async () => challengeIn(await stage.useCases.signIn.passkeyOptions(visit))
  const use = async (id: string, answered?: string, useCases = stage.useCases) =>
    useCases.signIn.withPasskey(
      visit,
      { answer: { challenge: answered ?? (await challenge()), id } },
      failWithAny,
    )

  it('are added, listed, used, renamed and removed', async () => {
    const { shown } = await add('one')
    expect(shown).to.include({ title: 'Laptop', synced: true, last_used: null })
    expect((await use('one')).user).to.equal(ada.user)
    const key = String(shown['id'])
    await ada.as(token, changePasskey, { key, body: { title: 'Old laptop' } })
    const [listed] = await ada.as(token, listPasskeys, null)
    expect(listed).to.include({ id: key, title: 'Old laptop', last_used: '2026-03-01T12:00:00.000Z' })
    const other = (await ada.signIn()).token
    await add('two')
    stage.clock.advance(5000)
    await right(stage.useCases.principals(other))
    await ada.as(token, removePasskey, { key })
    stage.clock.advance(5000)
    expect(await left(stage.useCases.principals(other))).to.deep.equal({ _tag: 'InvalidToken' })
    await ada.as(token, removePasskey, { key: String((await ada.as(token, listPasskeys, null))[0]?.['id']) })
    expect(await ada.as(token, listPasskeys, null)).to.deep.equal([])
    expect(await problemOf(() => use('one'))).to.deep.equal(failed)
    expect(await problemOf(() => ada.as(token, removePasskey, { key }))).to.have.property('_tag', 'NotFound')
  })

  it('sign in once for a challenge, at one process, and for five minutes', async () => {
    await add('one')
    const first = await challenge()
    const problems = await allButOne([
      () => use('one', first),
      () => use('one', first, stage.anotherProcess()),
    ])
    expect(problems).to.deep.equal([failed])
    const late = await challenge()
    stage.clock.advance(5 * minute)
    expect(await problemOf(() => use('one', late))).to.deep.equal(failed)
    expect(await problemOf(() => use('one', 'a challenge of nobody'))).to.deep.equal(failed)
  })

  it('are left, or the password is, if both are removed at once', async () => {
    const { shown } = await add('one')
    const problems = await allButOne([
      () => ada.as(token, removePassword, null),
      () => ada.as(token, removePasskey, { key: String(shown['id']) }),
    ])
    expect(problems.map(({ _tag }) => _tag)).to.deep.equal(['BadParameters'])
  })

  it('are refused if malformed, unknown or removed, and those of disabled users', async () => {
    await add('one')
    for (const answer of [{}, { challenge: await challenge(), id: 'another' }])
      expect(
        await problemOf(() => stage.useCases.signIn.withPasskey(visit, { answer }, failWithAny)),
      ).to.deep.equal(failed)
    await change(stage, ada.user, { disabled: true })
    expect(await problemOf(() => use('one'))).to.deep.equal(failed)
  })

  it('belong to one account, and their options to one person', async () => {
    await add('one')
    const session = await (await createPerson(stage, { name: 'Bob', email: 'bob@example.org' })).setUp()
    expect(await problemOf(() => add('one', session))).to.have.property('_tag', 'BadParameters')
    const foreign = challengeIn(await ada.as(token, createPasskeyOptions, { base }))
    const body = { title: 'Phone', answer: { challenge: foreign, id: 'two' } }
    expect(await problemOf(() => runAs(stage, session, addPasskey, { base, body }))).to.have.property(
      '_tag',
      'BadParameters',
    )
    // A challenge of a sign-in is none of a new passkey.
    const ofSignIn = { title: 'Phone', answer: { challenge: await challenge(), id: 'two' } }
    expect(await problemOf(() => ada.as(token, addPasskey, { base, body: ofSignIn }))).to.have.property(
      '_tag',
      'BadParameters',
    )
  })

  it('are 20 at most', async () => {
    for (let count = 0; count < 20; count += 1) await add(`passkey ${count}`)
    expect(await problemOf(() => add('another'))).to.have.property('_tag', 'BadParameters')
  })

  it('need a recent sign-in, and the last way in remains', async () => {
    const { shown } = await add('one')
    await ada.as(token, removePassword, null)
    const last = { key: String(shown['id']) }
    expect(await problemOf(() => ada.as(token, removePasskey, last))).to.have.property(
      '_tag',
      'BadParameters',
    )
    stage.clock.advance(16 * minute)
    const late = { _tag: 'Forbidden', reason: 'sign-in' }
    expect(await problemOf(() => add('two'))).to.deep.equal(late)
    expect(await problemOf(() => ada.as(token, removePasskey, last))).to.deep.equal(late)
  })

  it('set up an account with a link, without a password', async () => {
    const link = await ada.link()
    const { signIn } = stage.useCases
    const first = challengeIn(await signIn.linkPasskeyOptions(visit, { token: link }, failWithAny))
    const another = await ada.link()
    const foreign = { token: another, passkey: { challenge: first, id: 'one' } }
    expect(await problemOf(() => signIn.useLink(visit, foreign, dashboard, failWithAny))).to.have.property(
      '_tag',
      'BadParameters',
    )
    const answered = challengeIn(await signIn.linkPasskeyOptions(visit, { token: another }, failWithAny))
    const passkey = { challenge: answered, id: 'one' }
    expect((await signIn.useLink(visit, { token: another, passkey }, dashboard, failWithAny))?.user).to.equal(
      ada.user,
    )
    expect((await use('one')).user).to.equal(ada.user)
  })
})
