/** docs/behaviour/accounts.md#mail, over HTTP. */
import { simpleOneTimeCodes } from '@publishing-service/adapter-memory'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import type { Mail } from '@publishing-service/ports'
import { expectOk, expectStatus, uuidOf } from '../harness/expect-response.js'
import { createApi, type Api } from '../harness/http-client.js'
import { inSession, password, setUpPerson, simpleIdentity } from '../harness/people.js'
import { startTestService, type TestService } from '../harness/start-test-service.js'

/** Milliseconds for which a code is present. */
const codeStep = 30_000

describe('a person with an address', () => {
  let service: TestService
  let browser: Api
  let mails: readonly Mail[] = []
  before(async () => {
    const { module: identity, sent } = simpleIdentity()
    mails = sent
    service = await startTestService({}, { identity })
    browser = createApi(service.url)
  })
  after(() => service.stop())

  it('receives a link by mail, and says nothing about who has an address', async () => {
    const operator = createApi(service.url, await service.operatorToken())
    const email = 'ada@example.org'
    const uuid = uuidOf(await operator.post('/users', { name: 'Ada', email, operator: true }))
    const link = expectOk(await operator.post(`/users/${uuid}/link`, null)).object
    expect(link['mailed']).to.equal('sent')
    expect(mails.at(-1)?.to).to.equal(email)
    expect(mails.at(-1)?.text).to.include(link['url'])
    const token = String(link['url']).split('/').at(-1) ?? ''
    expectOk(await browser.post('/sign-in/link/use', { token, password }))
    const known = expectOk(await browser.post('/sign-in/forgotten', { email }))
    const unknown = expectOk(await browser.post('/sign-in/forgotten', { email: 'nobody@example.org' }))
    expect(known.body).to.deep.equal(unknown.body)
    await service.useCases.signIn.settled()
    expect(mails).to.have.length(2)
  })

  const tokenIn = (mail: Mail | undefined, kind: 'link' | 'confirm'): string =>
    new RegExp(`#/${kind}/(\\S+)`).exec(mail?.text ?? '')?.[1] ?? ''
  const mailsTo = (address: string) => mails.filter(({ to }) => to === address)

  it('confirms another address by the mail to it, and is informed at the former one', async () => {
    const operator = createApi(service.url, await service.operatorToken())
    const { cookie, email } = await setUpPerson(service, operator)
    const other = 'chief@example.org'
    expectOk(await browser.patch('/account', { email: other }, inSession(cookie)))
    const account = async () => expectOk(await browser.get('/account', inSession(cookie))).object
    expect(await account()).to.include({ email: other, email_confirmed: false })
    expect((await account())['confirmation_expires']).to.be.a('string')
    expect(mailsTo(email).filter(({ text }) => !text.includes('#/'))).to.have.length(1)
    const [first] = mailsTo(other)
    const again = expectOk(await browser.post('/account/email-confirmation', null, inSession(cookie))).object
    expect(again).to.deep.equal({ mailed: 'sent' })
    const put = (mail: Mail | undefined) =>
      browser.put('/account/email-confirmation', { token: tokenIn(mail, 'confirm') }, inSession(cookie))
    expectStatus(await put(first), 410)
    expectOk(await put(mailsTo(other).at(-1)))
    expect(await account()).to.include({ email_confirmed: true, confirmation_expires: null })
  })

  it('sets a forgotten password where there are one-time codes, and signs in with both', async () => {
    const operator = createApi(service.url, await service.operatorToken())
    const { cookie, email, used } = await setUpPerson(service, operator)
    expect(used.object).to.include({ signed_in: true, needs: null })
    const present = () => simpleOneTimeCodes.codeAt(service.clock.now())
    expectOk(await browser.post('/account/one-time-codes', null, inSession(cookie)))
    expectOk(await browser.put('/account/one-time-codes', { code: present() }, inSession(cookie)))
    expectOk(await browser.post('/sign-in/forgotten', { email }))
    await service.useCases.signIn.settled()
    const token = tokenIn(mailsTo(email).at(-1), 'link')
    const chosen = 'seven quiet rivers run'
    const halfWay = expectOk(await browser.post('/sign-in/link/use', { token, password: chosen }))
    expect(halfWay.object).to.deep.equal({ signed_in: false, needs: 'code', uuid: null })
    expect(halfWay.headers).to.not.have.property('set-cookie')
    expectStatus(await browser.post('/sign-in/password', { email, password: chosen }), 401)
    service.clock.advance(codeStep)
    expectOk(await browser.post('/sign-in/password', { email, password: chosen, code: present() }))
  })

  it('has no use of a link that was mailed before its password or its address was changed', async () => {
    const operator = createApi(service.url, await service.operatorToken())
    const { uuid, cookie, email } = await setUpPerson(service, operator)
    expectOk(await browser.post('/sign-in/forgotten', { email }))
    await service.useCases.signIn.settled()
    const token = tokenIn(mailsTo(email).at(-1), 'link')
    expectOk(await browser.post('/sign-in/link', { token }))
    const chosen = { password: 'seven quiet rivers run' }
    expectOk(await browser.put('/account/password', chosen, inSession(cookie)))
    expectStatus(await browser.post('/sign-in/link', { token }), 410)
    const typo = 'typo@example.org'
    const roles = [{ instance: 1, roles: ['editor'] }]
    const invited = uuidOf(await operator.post('/users', { name: 'N', email: typo, roles }))
    expectOk(await operator.post(`/users/${invited}/link`, null))
    expectOk(await operator.patch(`/users/${invited}`, { email: 'right@example.org' }))
    const invitation = tokenIn(mailsTo(typo)[0], 'link')
    const use = { token: invitation, name: 'X', email: 'x@example.org', password }
    expectStatus(await browser.post('/sign-in/link/use', use), 410)
    expectOk(await operator.delete(`/users/${uuid}`))
  })
})
