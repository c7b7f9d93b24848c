/** docs/behaviour/accounts.md#mail, over HTTP. */
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import type { Mail } from '@publishing-service/ports'
import { expectOk, uuidOf } from '../harness/expect-response.js'
import { createApi, type Api } from '../harness/http-client.js'
import { password, simpleIdentity } from '../harness/people.js'
import { startTestService, type TestService } from '../harness/start-test-service.js'

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
})
