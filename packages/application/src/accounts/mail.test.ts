/** Mail to people: docs/behaviour/accounts.md#mail. */
import { recordingMailSender } from '@publishing-service/adapter-memory'
import type { MailSender } from '@publishing-service/ports'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { failWithAny } from '../attempt.js'
import { createLink } from '../deployment-operations.js'
import { forget, tokenIn, unreliableMail } from '../test-support/mail.js'
import {
  change,
  createAda,
  dashboard,
  email,
  password,
  problemOf,
  runAs,
  visit,
  visitFrom,
} from '../test-support/people.js'
import { createStage, storedIn } from '../test-support/stage.js'

const minute = 60_000

const start = async (mailSender: MailSender) => {
  const stage = await createStage({ mailSender })
  return { stage, ada: await createAda(stage) }
}

/** Ada is an operator. */
const startAsOperator = async (mailSender: MailSender) => {
  const { stage, ada } = await start(mailSender)
  await change(stage, ada.user, { operator: true })
  return { stage, ada, token: await ada.setUp() }
}

describe('mail', () => {
  it('has the link that an admin makes, in the language of the person', async () => {
    const mailSender = recordingMailSender()
    const { stage, ada, token } = await startAsOperator(mailSender)
    const { mailed, token: link } = await runAs(stage, token, createLink, { user: ada.user, dashboard })
    expect(mailed).to.equal('sent')
    expect(mailSender.sent.map(({ to }) => to)).to.deep.equal([email])
    expect(mailSender.sent[0]?.text).to.include(`${dashboard}/#/link/${link}`)
    const silent = await runAs(stage, token, createLink, { user: ada.user, dashboard: null })
    expect(silent.mailed).to.equal('off')
    expect(mailSender.sent).to.have.length(1)
  })

  /** A person for whom an admin has made a link while the mail server was away. */
  const startAway = async () => {
    const { mailSender, sent, state } = unreliableMail()
    const { stage, ada, token } = await startAsOperator(mailSender)
    state.isAway = true
    const created = await runAs(stage, token, createLink, { user: ada.user, dashboard })
    expect(created.mailed).to.equal('waiting')
    const waiting = async (useCases = stage.useCases) => useCases.sendWaitingMail()
    return { stage, ada, created, sent, state, waiting }
  }
  it('waits while the server is unreachable, with growing pauses, also for other processes', async () => {
    const { stage, sent, state, waiting } = await startAway()
    stage.clock.advance(minute)
    expect(await waiting()).to.equal(0)
    state.isAway = false
    stage.clock.advance(minute)
    expect(await waiting()).to.equal(0)
    stage.clock.advance(minute)
    const both = await Promise.all([waiting(), waiting(stage.anotherProcess())])
    expect(both).to.have.members([0, 1])
    expect([sent.length, await waiting()]).to.deep.equal([1, 0])
  })

  it('that waited has another token of the same link, which works once', async () => {
    const { stage, ada, created, sent, state, waiting } = await startAway()
    state.isAway = false
    stage.clock.advance(minute)
    await waiting()
    const mailed = tokenIn(sent[0])
    expect(mailed).not.to.equal(created.token)
    expect(await storedIn(stage.documents, 'waiting_mail')).to.deep.equal([])
    expect((await ada.useLink(mailed)).user).to.equal(ada.user)
    for (const token of [created.token, mailed])
      expect(await problemOf(() => ada.useLink(token))).to.deep.equal({ _tag: 'LinkInvalid' })
  })

  it('is not sent any more once its link was used or has ended', async () => {
    const used = await startAway()
    await used.ada.useLink(used.created.token)
    const ended = await startAway()
    ended.stage.clock.advance(72 * 60 * minute)
    for (const { stage, state, sent, waiting } of [used, ended]) {
      state.isAway = false
      stage.clock.advance(minute)
      expect([await waiting(), sent.length]).to.deep.equal([0, 0])
    }
  })

  it('is being sent where the server takes longer than two seconds, and is sent once', async () => {
    const slow = recordingMailSender()
    let accept = (): void => undefined
    const accepted = new Promise<void>((resolve) => (accept = resolve))
    let asked = (): void => undefined
    const isAsked = new Promise<void>((resolve) => (asked = resolve))
    const mailSender: MailSender = {
      ...slow,
      send: (mail) => async () => {
        asked()
        await accepted
        return slow.send(mail)()
      },
    }
    const { stage, ada, token } = await startAsOperator(mailSender)
    const creating = runAs(stage, token, createLink, { user: ada.user, dashboard })
    await isAsked
    stage.clock.advance(2000)
    expect((await creating).mailed).to.equal('sending')
    accept()
    await stage.clock.turn()
    stage.clock.advance(minute)
    expect([await stage.useCases.sendWaitingMail(), slow.sent.length]).to.deep.equal([0, 1])
  })

  it('is sent after a password was forgotten, to people who have one', async () => {
    const mailSender = recordingMailSender()
    const { stage, ada } = await start(mailSender)
    await forget(stage)
    await forget(stage, 'nobody@example.org')
    expect(mailSender.sent).to.have.length(0)
    await ada.setUp()
    await forget(stage, email.toUpperCase())
    const [mail] = mailSender.sent
    const token = tokenIn(mail)
    expect((await stage.useCases.signIn.readLink(visit, { token }, failWithAny)).kind).to.equal('forgotten')
    const chosen = 'seven quiet rivers run'
    expect((await ada.useLink(token, { password: chosen })).user).to.equal(ada.user)
    expect(await problemOf(() => ada.signIn(password))).to.deep.equal({ _tag: 'SignInFailed' })
  })

  it('is sent five times in an hour to a person, without a sign of it, and asked for as often by an address', async () => {
    const mailSender = recordingMailSender()
    const { stage, ada } = await start(mailSender)
    await ada.setUp()
    for (let count = 1; count <= 7; count += 1) await forget(stage, email, visitFrom(`192.0.2.${count}`))
    expect(mailSender.sent).to.have.length(5)
    const other = visitFrom('198.51.100.1')
    for (let count = 0; count < 5; count += 1) await forget(stage, 'nobody@example.org', other)
    expect(await problemOf(() => forget(stage, 'nobody@example.org', other))).to.have.property(
      '_tag',
      'TooManyRequests',
    )
    stage.clock.advance(60 * minute)
    await forget(stage)
    expect(mailSender.sent).to.have.length(6)
  })

  it('of a forgotten password does not take the place of the link of an admin', async () => {
    const mailSender = recordingMailSender()
    const { stage, ada } = await start(mailSender)
    await ada.setUp()
    const { token } = await stage.useCases.signInLinks.create(ada.user, 'reset')
    await forget(stage)
    expect((await stage.useCases.signIn.readLink(visit, { token }, failWithAny)).kind).to.equal('reset')
    expect(mailSender.sent).to.have.length(1)
  })
})
