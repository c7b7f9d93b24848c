/** One-time codes of people: docs/behaviour/accounts.md#one-time-codes. */
import { simpleOneTimeCodes } from '@publishing-service/adapter-memory'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { failWithAny } from '../attempt.js'
import {
  activateOneTimeCodes,
  createOneTimeSecret,
  readAccount,
  readMe,
  removeOneTimeCodes,
  removePassword,
} from '../deployment-operations.js'
import {
  allButOne,
  createAda,
  dashboard,
  email,
  password,
  problemOf,
  visit,
  visitFrom,
  type Person,
} from '../test-support/people.js'
import { createStage, deployment, left, processOver, right, type Stage } from '../test-support/stage.js'
import type { UseCases } from '../use-cases.js'

const failed = { _tag: 'SignInFailed' }
const needed = { _tag: 'SecondFactorNeeded' }
const step = 30_000

describe('one-time codes', () => {
  let stage: Stage
  let ada: Person
  let token: string
  beforeEach(async () => {
    stage = await createStage()
    ada = await createAda(stage)
    token = await ada.setUp()
  })

  const present = () => simpleOneTimeCodes.codeAt(stage.clock.now())
  const activate = async (code = present()) => {
    await ada.as(token, createOneTimeSecret, null)
    return (await ada.as(token, activateOneTimeCodes, { body: { code } })).codes
  }
  const signIn = (code: string | null, from = visit, useCases: UseCases = stage.useCases) =>
    useCases.signIn.withPassword(from, { email, password, code }, failWithAny)

  it('are needed with the password, each once, at one process', async () => {
    await activate()
    expect(await problemOf(() => signIn(null))).to.deep.equal(needed)
    // The code of the activation is used up.
    expect(await problemOf(() => signIn(present()))).to.deep.equal(failed)
    stage.clock.advance(step)
    const problems = await allButOne([
      () => signIn(present()),
      () => signIn(present(), visit, stage.anotherProcess()),
    ])
    expect(problems).to.deep.equal([failed])
    stage.clock.advance(step)
    expect(
      await problemOf(() =>
        stage.useCases.signIn.withPassword(
          visit,
          { email, password: 'another password', code: present() },
          failWithAny,
        ),
      ),
    ).to.deep.equal(failed)
  })

  it('have ten recovery codes, each for one sign-in', async () => {
    const codes = await activate()
    expect(new Set(codes)).to.have.length(10)
    const [first = ''] = codes
    expect((await signIn(` ${first.toUpperCase()} `)).user).to.equal(ada.user)
    expect(await problemOf(() => signIn(first))).to.deep.equal(failed)
    expect((await ada.as(token, readAccount, null)).recovery_codes).to.equal(9)
  })

  it('are active only after a right code, within five minutes of their secret', async () => {
    const activateNow = (code: string) => ada.as(token, activateOneTimeCodes, { body: { code } })
    expect(await problemOf(() => activateNow(present()))).to.have.property('_tag', 'BadParameters')
    await ada.as(token, createOneTimeSecret, null)
    expect(await problemOf(() => activateNow('000000'))).to.have.property('_tag', 'BadParameters')
    expect((await signIn(null)).user).to.equal(ada.user)
    stage.clock.advance(5 * 60_000)
    expect(await problemOf(() => activateNow(present()))).to.have.property('_tag', 'BadParameters')
  })

  it('are removed by themselves and with the password', async () => {
    await activate()
    await ada.as(token, removeOneTimeCodes, null)
    expect((await signIn(null)).user).to.equal(ada.user)
    expect(await problemOf(() => ada.as(token, removePassword, null))).to.have.property(
      '_tag',
      'BadParameters',
    )
  })

  it('are guessed five times in a minute over all addresses, however often the password is shown', async () => {
    await activate()
    stage.clock.advance(step)
    for (let guess = 0; guess < 5; guess += 1) {
      const from = visitFrom(`192.0.2.${guess + 1}`)
      expect(await problemOf(() => signIn('000000', from))).to.deep.equal(failed)
      expect(await problemOf(() => signIn(null, from))).to.deep.equal(needed)
    }
    const other = visitFrom('192.0.2.99')
    expect(await problemOf(() => signIn(present(), other))).to.have.property('_tag', 'TooManyRequests')
    stage.clock.advance(60_000)
    expect((await signIn(present(), other)).user).to.equal(ada.user)
  })

  it('are accepted from a known browser while others guess, and guessed there five times in a minute', async () => {
    await activate()
    stage.clock.advance(step)
    const { browserToken } = await signIn(present())
    const known = visitFrom(visit.address, null, browserToken)
    stage.clock.advance(step)
    for (let guess = 0; guess < 5; guess += 1) await problemOf(() => signIn('000000'))
    expect((await signIn(present(), known)).user).to.equal(ada.user)
    for (let guess = 0; guess < 5; guess += 1)
      expect(await problemOf(() => signIn('000000', known))).to.deep.equal(failed)
    expect(await problemOf(() => signIn('000000', known))).to.have.property('_tag', 'TooManyRequests')
  })

  it('leave the recovery codes to the person while others guess', async () => {
    const [recovery = ''] = await activate()
    for (let guess = 0; guess < 6; guess += 1)
      await problemOf(() => signIn('000000', visitFrom(`192.0.2.${guess + 1}`)))
    expect((await signIn(recovery, visitFrom('192.0.2.99'))).user).to.equal(ada.user)
  })

  it('are required by a deployment: until then, a person has no rights but those to their account', async () => {
    const strict = processOver(stage, { ...deployment, secondFactor: 'required' })
    const { rights, roles, session } = await right(strict.principals(token))
    expect(rights).to.deep.equal({ operator: false, roles: [] })
    expect([roles.size, session?.needsSecondFactor]).to.deep.equal([0, true])
    expect((await ada.as(token, readMe, null)).needs_second_factor).to.equal(false)
    await activate()
    stage.clock.advance(5000)
    expect((await right(strict.principals(token))).roles.get(1)).to.equal('editor')
  })

  it('remain after a password was forgotten: the new one begins no session', async () => {
    await activate()
    const chosen = { password: 'seven quiet rivers run' }
    const link = await ada.link('forgotten')
    expect(
      await stage.useCases.signIn.useLink(visit, { token: link, ...chosen }, dashboard, failWithAny),
    ).to.equal(null)
    stage.clock.advance(5000)
    expect(await left(stage.useCases.principals(token))).to.deep.equal({ _tag: 'InvalidToken' })
    const again = (code: string | null) =>
      stage.useCases.signIn.withPassword(visit, { email, password: chosen.password, code }, failWithAny)
    expect(await problemOf(() => again(null))).to.deep.equal(needed)
    stage.clock.advance(step)
    expect((await again(present())).user).to.equal(ada.user)
  })
})
