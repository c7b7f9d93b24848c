/** Addresses of people, and what ends with a change of a person: docs/behaviour/accounts.md. */
import { recordingMailSender, simpleIdentityProvider } from '@publishing-service/adapter-memory'
import { content } from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import { E } from '@publishing-service/domain/fp'
import type { ExternalIdentity, Mail, MailSender } from '@publishing-service/ports'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { failWithAny } from '../attempt.js'
import type { IssuedKey } from '../administration/administer-keys.js'
import type { DeploymentOperation } from '../deployment-operation.js'
import {
  changeAccount,
  changeUser,
  confirmEmail,
  createLink,
  listSessions,
  mailConfirmation,
  readAccount,
  replaceInstanceRoles,
  setPassword,
} from '../deployment-operations.js'
import { createPreview } from '../operations.js'
import { forget, tokenIn, unreliableMail } from '../test-support/mail.js'
import {
  createAda,
  createPerson,
  createUser,
  dashboard,
  email,
  operator,
  password,
  problemOf,
  runAs,
  runAsOperator,
  runAsUser,
  visit,
} from '../test-support/people.js'
import { signInAtProvider } from '../test-support/provider-sign-in.js'
import {
  article,
  createStage,
  deployment,
  left,
  processOver,
  right,
  type Stage,
  storedIn,
} from '../test-support/stage.js'

const chief = 'chief@example.org'
const linkInvalid = { _tag: 'LinkInvalid' }
const invalidToken = { _tag: 'InvalidToken' }
const minute = 60_000

const start = async (mailSender: MailSender | null = null, ports: Parameters<typeof createStage>[0] = {}) => {
  const stage = await createStage({ mailSender, ...ports })
  const ada = await createAda(stage)
  const { administerUsers, administerInstances } = stage.useCases
  for (const title of ['Two', 'Three'])
    await right(administerInstances.create({ title, timezone: 'Europe/Vienna' }))
  const userNow = () => administerUsers.find(operator, ada.user)
  const asOperator = <Input, Output>(operation: DeploymentOperation<Input, Output>, input: Input) =>
    runAsOperator(stage, operation, input)
  const patch = (body: JsonObject, parameters = {}) =>
    asOperator(changeUser, { id: ada.user, body, parameters })
  /** An admin of instance 1 alone. */
  const admin = { name: 'adm', operator: false, roles: [{ instance: 1, roles: ['admin' as const] }] }
  const adm = await createUser(stage, admin)
  const asAdm = <Input, Output>(operation: DeploymentOperation<Input, Output>, input: Input) =>
    runAsUser(stage, { id: adm, ...admin }, operation, input)
  return { stage, ada, adm, asAdm, asOperator, patch, userNow }
}

const requestFor = ({ api_key: apiKey, api_secret: apiSecret }: IssuedKey) => ({
  grantType: 'client_credentials',
  apiKey,
  apiSecret,
  address: '192.0.2.1',
})

const readLink = (stage: Stage, token: string) =>
  problemOf(() => stage.useCases.signIn.readLink(visit, { token }, failWithAny))

describe('the address of a person', () => {
  const type = (stage: Stage, token: string, address: string | null) =>
    runAs(stage, token, changeAccount, { body: { email: address }, dashboard })
  const accountOf = (stage: Stage, token: string) => runAs(stage, token, readAccount, null)

  it('that it has typed is confirmed by a mailed link in its own session, and the former one is informed', async () => {
    const mailSender = recordingMailSender()
    const { stage, ada, userNow } = await start(mailSender)
    const token = await ada.setUp()
    expect(await accountOf(stage, token)).to.include({ email_confirmed: true, confirmation_expires: null })
    await type(stage, token, chief)
    expect(await accountOf(stage, token)).to.include({
      email: chief,
      email_confirmed: false,
      confirmation_expires: '2026-03-04T12:00:00.000Z',
    })
    expect(mailSender.sent.map(({ to }) => to)).to.have.members([email, chief])
    const former = mailSender.sent.find(({ to }) => to === email)
    expect(former?.text).not.to.include(chief)
    const link = tokenIn(
      mailSender.sent.find(({ to }) => to === chief),
      'confirm',
    )
    const body = { token: link }
    const eve = await createPerson(stage, { name: 'Eve', operator: true })
    const ofEve = await eve.useLink(await eve.link('set-up'), { password, email: 'eve@example.org' })
    expect(await problemOf(() => runAs(stage, ofEve.token, confirmEmail, { body }))).to.deep.equal(
      linkInvalid,
    )
    expect((await userNow()).email_confirmed).to.equal(false)
    // The address of a link of Eve has become that of Ada, or of nobody.
    for (const address of [chief, 'own@example.org']) {
      const { token: stale } = await stage.useCases.signInLinks.create(eve.user, 'confirmation', undefined, {
        email: address,
      })
      const stray = { body: { token: stale } }
      const session = address === chief ? token : ofEve.token
      expect(await problemOf(() => runAs(stage, session, confirmEmail, stray))).to.deep.equal(linkInvalid)
    }
    await runAs(stage, token, confirmEmail, { body })
    expect(await accountOf(stage, token)).to.include({ email_confirmed: true, confirmation_expires: null })
    expect(await problemOf(() => runAs(stage, token, confirmEmail, { body }))).to.deep.equal(linkInvalid)
  })

  it('is confirmed by the link that was mailed to it, and by no other', async () => {
    const mailSender = recordingMailSender()
    const { stage, ada } = await start(mailSender)
    const token = await ada.setUp()
    await type(stage, token, 'own@example.org')
    const toOwn = tokenIn(
      mailSender.sent.find(({ to }) => to === 'own@example.org'),
      'confirm',
    )
    await type(stage, token, chief)
    await forget(stage, chief)
    const ofForgotten = tokenIn(mailSender.sent.at(-1))
    expect(await readLink(stage, ofForgotten)).to.equal(null)
    for (const wrong of [toOwn, ofForgotten])
      expect(
        await problemOf(() => runAs(stage, token, confirmEmail, { body: { token: wrong } })),
      ).to.deep.equal(linkInvalid)
    const confirmation = tokenIn(
      mailSender.sent.find(({ to, text }) => to === chief && text.includes('/confirm/')),
      'confirm',
    )
    expect(await readLink(stage, confirmation)).to.deep.equal(linkInvalid)
    expect(await problemOf(() => ada.useLink(confirmation))).to.deep.equal(linkInvalid)
    expect((await accountOf(stage, token)).email_confirmed).to.equal(false)
    await runAs(stage, token, confirmEmail, { body: { token: confirmation } })
    expect((await accountOf(stage, token)).email_confirmed).to.equal(true)
  })

  it('is not confirmed by the use of a link of any kind, and is mailed if it is typed there', async () => {
    const mailSender = recordingMailSender()
    const { stage, ada, userNow } = await start(mailSender)
    const session = await ada.useLink(await ada.link(), { password, email: chief })
    expect(await userNow()).to.include({ email: chief, email_confirmed: false })
    expect(mailSender.sent.map(({ to }) => to)).to.have.members([email, chief])
    await forget(stage, chief)
    await ada.useLink(tokenIn(mailSender.sent.at(-1)), { password: 'seven quiet rivers run' })
    expect((await userNow()).email_confirmed).to.equal(false)
    expect(await left(stage.useCases.principals(session.token))).to.deep.equal(invalidToken)
  })

  it('is mailed five times in an hour at most, and no further address is typed then', async () => {
    const mailSender = recordingMailSender()
    const { stage, ada, userNow } = await start(mailSender)
    const token = await ada.setUp()
    await type(stage, token, chief)
    for (let count = 0; count < 4; count += 1)
      expect((await runAs(stage, token, mailConfirmation, { dashboard })).mailed).to.equal('sent')
    expect(mailSender.sent.filter(({ to }) => to === chief)).to.have.length(5)
    expect(await problemOf(() => runAs(stage, token, mailConfirmation, { dashboard }))).to.have.property(
      '_tag',
      'TooManyRequests',
    )
    expect(await problemOf(() => type(stage, token, 'more@example.org'))).to.have.property(
      '_tag',
      'TooManyRequests',
    )
    expect((await userNow()).email).to.equal(chief)
    const [first, ...others] = mailSender.sent.filter(({ to }) => to === chief)
    const confirm = (mail: Mail | undefined) =>
      problemOf(() => runAs(stage, token, confirmEmail, { body: { token: tokenIn(mail, 'confirm') } }))
    expect(await confirm(first)).to.deep.equal(linkInvalid)
    expect(await confirm(others.at(-1))).to.equal(null)
  })

  it('remains unconfirmed without a mail server, until an administrator confirms it', async () => {
    const { stage, ada, patch, userNow } = await start(null)
    const token = await ada.setUp()
    await type(stage, token, chief)
    expect((await runAs(stage, token, mailConfirmation, { dashboard })).mailed).to.equal('off')
    expect(await accountOf(stage, token)).to.include({ email_confirmed: false, confirmation_expires: null })
    await patch({ email: chief, name: 'Chief' })
    expect((await userNow()).email_confirmed).to.equal(false)
    await patch({ email_confirmed: true })
    expect((await userNow()).email_confirmed).to.equal(true)
    await type(stage, token, null)
    expect((await runAs(stage, token, mailConfirmation, { dashboard })).mailed).to.equal('off')
  })

  it('that an admin sets for themselves is not confirmed, and no admin confirms the own one', async () => {
    const { stage, adm, asAdm } = await start()
    const set = (body: JsonObject) => asAdm(changeUser, { id: adm, body, parameters: {} })
    await set({ email: chief })
    expect(await stage.useCases.administerUsers.find(operator, adm)).to.include({
      email: chief,
      email_confirmed: false,
    })
    expect(await problemOf(() => set({ email_confirmed: true }))).to.have.property('_tag', 'BadParameters')
  })

  it('that was changed is informed by mail that waits without its text, also by another process', async () => {
    const { mailSender, sent, state } = unreliableMail()
    const { stage, patch } = await start(mailSender)
    state.isAway = true
    await patch({ email: chief })
    const waiting = await storedIn(stage.documents, 'waiting_mail')
    expect(waiting).to.have.length(1)
    expect(Object.keys(waiting[0]?.value ?? {})).to.have.members([
      'user',
      'attempts',
      'next',
      'expires',
      'former_email',
    ])
    state.isAway = false
    stage.clock.advance(minute)
    expect(await stage.anotherProcess().sendWaitingMail()).to.equal(1)
    expect(sent.map(({ to }) => to)).to.deep.equal([email])
  })

  it('that waits to be confirmed is not mailed any more once there is another', async () => {
    const { mailSender, sent, state } = unreliableMail()
    const { stage, ada, patch } = await start(mailSender)
    const token = await ada.setUp()
    state.isAway = true
    await type(stage, token, chief)
    await patch({ email: 'right@example.org' })
    state.isAway = false
    stage.clock.advance(minute)
    await stage.useCases.sendWaitingMail()
    expect(sent.map(({ to }) => to)).to.have.members([email, chief])
    expect(sent.every((mail) => tokenIn(mail, 'confirm') === '')).to.equal(true)
  })
})

describe('a link of a person', () => {
  it('that was mailed for a forgotten password ends with every other change of the password', async () => {
    const mailSender = recordingMailSender()
    const { stage, ada } = await start(mailSender)
    const session = await ada.setUp()
    await forget(stage)
    const mailed = tokenIn(mailSender.sent.at(-1))
    expect(await readLink(stage, mailed)).to.equal(null)
    await runAs(stage, session, setPassword, { body: { password: 'seven quiet rivers run' } })
    expect(await readLink(stage, mailed)).to.deep.equal(linkInvalid)
    const reset = await ada.link('reset')
    await forget(stage)
    const another = tokenIn(mailSender.sent.at(-1))
    expect(await readLink(stage, another)).to.equal(null)
    await ada.useLink(reset, { password })
    expect(await readLink(stage, another)).to.deep.equal(linkInvalid)
  })

  it('ends when an administrator or the person corrects the address', async () => {
    const { stage, ada, patch } = await start()
    const invitation = await ada.link()
    await patch({ name: 'Ada L.', language: 'de' })
    expect(await readLink(stage, invitation)).to.equal(null)
    await patch({ email: 'right@example.org' })
    expect(await readLink(stage, invitation)).to.deep.equal(linkInvalid)
    const session = await ada.setUp()
    const reset = await ada.link('reset')
    await runAs(stage, session, changeAccount, { body: { email: chief }, dashboard: null })
    expect(await readLink(stage, reset)).to.deep.equal(linkInvalid)
  })

  it('ends with other rights, also where an instance is deleted', async () => {
    const { stage, ada, asOperator } = await start()
    const roles = (instance: number, held: readonly string[]) =>
      asOperator(replaceInstanceRoles, {
        id: ada.user,
        instance,
        body: { roles: [...held] },
        parameters: {},
      })
    const gained = await ada.link()
    await roles(2, ['reader'])
    expect(await readLink(stage, gained)).to.deep.equal(linkInvalid)
    const lost = await ada.link()
    const { deleteInstance } = stage.useCases
    await right(deleteInstance.run({ number: 2, title: 'Two', wait: async () => undefined }))
    expect(await readLink(stage, lost)).to.deep.equal(linkInvalid)
  })

  it('and an address need a confirmation where those who made them do not have the new rights', async () => {
    const { stage, ada, asAdm, asOperator, userNow } = await start()
    const grant = (role: string, parameters = {}) =>
      asOperator(replaceInstanceRoles, { id: ada.user, instance: 3, body: { roles: [role] }, parameters })
    const { token } = await asAdm(createLink, { user: ada.user, dashboard: null })
    const asked = await problemOf(() => grant('reader'))
    expect(asked).to.have.nested.property('faults[0].path', 'confirm')
    expect(JSON.stringify(asked)).to.include('link').and.to.include('“adm”')
    expect(await readLink(stage, token)).to.equal(null)
    await grant('reader', { confirm: 'true' })
    expect(await readLink(stage, token)).to.deep.equal(linkInvalid)
    await asOperator(createLink, { user: ada.user, dashboard: null })
    await grant('editor')
    await asOperator(replaceInstanceRoles, { id: ada.user, instance: 3, body: { roles: [] }, parameters: {} })
    await asAdm(changeUser, { id: ada.user, body: { email: 'adm@example.org' }, parameters: {} })
    expect(await userNow()).to.include({ email_confirmed: true })
    expect(JSON.stringify(await problemOf(() => grant('admin')))).to.include('address that “adm” has set')
    await ada.useLink(await ada.link())
    await grant('admin')
  })
})

describe('a user that is disabled', () => {
  it('has no session, token, preview or link any more when it is enabled again', async () => {
    const { stage, ada, patch } = await start()
    const { principals, administerKeys, exchangeToken } = stage.useCases
    const session = await ada.setUp()
    const key = await right(administerKeys.create({ user: ada.user }))
    const { accessToken } = await right(exchangeToken(requestFor(key)))
    const object = await stage.create(content, article('a'))
    const asAda = {
      ...stage.as('editor'),
      identity: await principals(session)(),
    }
    const preview = String(
      (await right(stage.run(createPreview(content), asAda, { id: object, body: {} })))['token'],
    )
    const link = await ada.link('reset')
    for (const token of [session, accessToken, preview]) await right(principals(token))
    await patch({ disabled: true })
    await patch({ disabled: false })
    stage.clock.advance(5000)
    for (const token of [session, accessToken, preview])
      expect(await left(principals(token))).to.deep.equal(invalidToken)
    expect(await readLink(stage, link)).to.deep.equal(linkInvalid)
    const again = await ada.signIn()
    expect((await runAs(stage, again.token, listSessions, { parameters: {} })).items).to.have.length(1)
    await right(exchangeToken(requestFor(key)))
  })

  it('has none of them either where a process was killed while it disabled the user', async () => {
    const { stage, ada, patch } = await start()
    const session = await ada.setUp()
    const found = await right(stage.documents.get('users', 0, ada.user))
    if (found === null) throw new Error('no user')
    const disabled = { ...found.value, disabled: true }
    const { id, version } = found
    await right(stage.documents.replace('users', 0, { id, version, unique: email, value: disabled }))
    await patch({ disabled: false })
    stage.clock.advance(5000)
    expect(await left(stage.useCases.principals(session))).to.deep.equal(invalidToken)
  })
})

describe('a person whom a provider finds by their address', () => {
  const identity: ExternalIdentity = {
    issuer: 'https://id.example.org',
    subject: 'chief',
    name: 'Chief',
    email: chief,
    isEmailVerified: true,
    claims: { groups: ['desk'] },
  }
  const startMatching = async (mailSender: MailSender | null = null) => {
    const identityProvider = simpleIdentityProvider({ chief: identity })
    const started = await start(mailSender, { identityProvider })
    const rules = {
      button: 'Example',
      unknown: 'match-email',
      roles: [{ claim: ['groups'], value: 'desk', grants: { instance: 1, role: 'admin' } }],
    } as const
    const useCases = processOver({ ...started.stage, mailSender }, { ...deployment, provider: rules })
    const signIn = () => signInAtProvider(useCases, 'chief')
    return { ...started, useCases, signIn }
  }

  it('gets no account whose person has typed the address', async () => {
    const { stage, ada, signIn, userNow } = await startMatching()
    const session = await ada.setUp()
    await runAs(stage, session, changeAccount, { body: { email: chief }, dashboard: null })
    expect(await signIn()).to.deep.equal(E.left('account_unknown'))
    expect((await userNow()).roles).to.deep.equal([{ instance: 1, roles: ['editor'] }])
    expect(stage.log.entries().map(({ event }) => event)).to.include(
      'the address of an account is not confirmed',
    )
  })

  it('gets no account whose person has typed the address while they used a link', async () => {
    const { ada, signIn } = await startMatching()
    await ada.useLink(await ada.link(), { password, email: chief })
    expect(await signIn()).to.deep.equal(E.left('account_unknown'))
  })

  it('gets no account of an earlier version, until an administrator has confirmed the address', async () => {
    const { stage, ada, patch, signIn } = await startMatching()
    const found = await right(stage.documents.get('users', 0, ada.user))
    if (found === null) throw new Error('no user')
    const { email_confirmed: _unknown, ...value }: JsonObject = { ...found.value, email: chief }
    const { id, version } = found
    await right(stage.documents.replace('users', 0, { id, version, unique: chief, value }))
    expect(await signIn()).to.deep.equal(E.left('account_unknown'))
    await patch({ email_confirmed: true })
    expect(E.isRight(await signIn())).to.equal(true)
  })

  it('is the only one who gets into the account from then on', async () => {
    const { stage, ada, patch, signIn, useCases } = await startMatching()
    const { principals, administerKeys, exchangeToken } = stage.useCases
    const session = await ada.setUp()
    const key = await right(administerKeys.create({ user: ada.user }))
    const exchange = requestFor(key)
    const { accessToken } = await right(exchangeToken(exchange))
    await patch({ email: chief })
    const link = await ada.link('reset')
    const found = await signIn()
    if (E.isLeft(found)) throw new Error(found.left)
    expect(found.right.user).to.equal(ada.user)
    stage.clock.advance(5000)
    expect((await right(useCases.principals(found.right.token))).roles.get(1)).to.equal('admin')
    for (const token of [session, accessToken])
      expect(await left(principals(token))).to.deep.equal(invalidToken)
    expect(await readLink(stage, link)).to.deep.equal(linkInvalid)
    expect(await problemOf(() => ada.signIn(password, visit, chief))).to.deep.equal({ _tag: 'SignInFailed' })
    expect(await left(exchangeToken(exchange))).to.have.property('_tag', 'InvalidClient')
    const account = await runAs(stage, found.right.token, readAccount, null)
    expect(account).to.include({ has_password: false, passkeys: 0, identities: 1, email_confirmed: true })
  })

  it('keeps what it adds afterwards', async () => {
    const { stage, ada, patch, signIn } = await startMatching()
    await patch({ email: chief })
    const first = await signIn()
    if (E.isLeft(first)) throw new Error(first.left)
    await runAs(stage, first.right.token, setPassword, { body: { password } })
    expect(E.isRight(await signIn())).to.equal(true)
    expect((await ada.signIn(password, visit, chief)).user).to.equal(ada.user)
  })

  it('changes nothing of an account that is disabled', async () => {
    const { ada, patch, signIn, stage } = await startMatching()
    await ada.setUp()
    await patch({ email: chief, disabled: true })
    expect(await signIn()).to.deep.equal(E.left('account_disabled'))
    await patch({ disabled: false })
    expect((await ada.signIn(password, visit, chief)).user).to.equal(ada.user)
    expect(stage.log.entries().filter(({ level }) => level === 'error')).to.deep.equal([])
  })
})
