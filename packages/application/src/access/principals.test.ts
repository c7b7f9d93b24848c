import { memoryDocumentStore } from '@publishing-service/adapter-memory'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { collections } from '../collections.js'
import { controllableStore, type ControllableStore } from '../test-support/controllable-document-store.js'
import { createStage, left, unavailable, right, type Stage, storedIn } from '../test-support/stage.js'

const invalid = { _tag: 'InvalidToken' }
const day = 86_400_000

describe('finding the principal of a token', () => {
  let documents: ControllableStore
  let stage: Stage
  let token: string
  beforeEach(async () => {
    documents = controllableStore(memoryDocumentStore(collections))
    stage = await createStage({ documents })
    const { administerKeys, exchangeToken } = stage.useCases
    const key = await right(administerKeys.create({ instance: 1, role: 'reader', apiKey: 'key' }))
    const form = { grantType: 'client_credentials', apiKey: key.api_key, apiSecret: key.api_secret }
    token = (await right(exchangeToken({ ...form, address: 'a' }))).accessToken
  })

  it('returns the user and the role on each instance', async () => {
    const principal = await right(stage.useCases.principals(token))
    expect(principal.user).to.equal('reader of 1')
    expect([...principal.roles]).to.deep.equal([[1, 'reader']])
  })

  it('rejects other texts of any length', async () => {
    for (const wrong of ['', 'wrong', `${token}x`, 'x'.repeat(10_000), `digest of ${token}`])
      expect(await left(stage.useCases.principals(wrong)), wrong.slice(0, 40)).to.deep.equal(invalid)
  })

  it('ends a token after a day to the millisecond, even if it is cached', async () => {
    stage.clock.advance(day - 1)
    await right(stage.useCases.principals(token))
    stage.clock.advance(1)
    expect(await left(stage.useCases.principals(token))).to.deep.equal(invalid)
    expect(await left(stage.anotherProcess().principals(token))).to.deep.equal(invalid)
  })

  it('ends the tokens of a key that was revoked elsewhere within five seconds', async () => {
    await right(stage.useCases.principals(token))
    await right(stage.anotherProcess().administerKeys.revoke('key'))
    stage.clock.advance(5000)
    expect(await left(stage.useCases.principals(token))).to.deep.equal(invalid)
  })

  it('ends them within five seconds also when the wall clock steps back', async () => {
    await right(stage.useCases.principals(token))
    await right(stage.anotherProcess().administerKeys.revoke('key'))
    stage.clock.advance(-3_600_000)
    stage.clock.advance(5000)
    expect(await left(stage.useCases.principals(token))).to.deep.equal(invalid)
  })

  describe('a revoked token', () => {
    const revoke = (): Promise<void> => right(stage.useCases.revokeToken(token))

    it('is rejected at once by the process that revoked it, and within five seconds by others', async () => {
      const other = stage.anotherProcess()
      await right(stage.useCases.principals(token))
      await right(other.principals(token))
      await revoke()
      expect(await left(stage.useCases.principals(token))).to.deep.equal(invalid)
      stage.clock.advance(5000)
      expect(await left(other.principals(token))).to.deep.equal(invalid)
      await revoke()
    })

    it('is not cached by a look-up that began before', async () => {
      const held = documents.hold('get', 'users', 'after')
      const looking = right(stage.useCases.principals(token))
      await held.reached
      await revoke()
      held.release()
      await looking
      expect(await left(stage.useCases.principals(token))).to.deep.equal(invalid)
    })

    it('is not reported as such while it is still stored', async () => {
      documents.fail('remove', 'tokens')
      expect(await left(stage.useCases.revokeToken(token))).to.deep.equal(unavailable)
      await right(stage.useCases.principals(token))
    })

    it('may be unknown, and of any length, but not missing', async () => {
      for (const unknown of ['wrong', 'x'.repeat(10_000)]) await right(stage.useCases.revokeToken(unknown))
      expect(await left(stage.useCases.revokeToken(undefined))).to.have.property(
        '_tag',
        'InvalidTokenRequest',
      )
      await right(stage.useCases.principals(token))
    })
  })

  it('rejects a token that was issued more than a day ahead of the wall clock', async () => {
    await right(stage.useCases.principals(token))
    stage.clock.advance(-day)
    await right(stage.useCases.principals(token))
    stage.clock.advance(-1)
    expect(await left(stage.anotherProcess().principals(token))).to.deep.equal(invalid)
  })

  it('measures these seconds from the start of the look-up', async () => {
    const held = documents.hold('get', 'users', 'after')
    const looking = right(stage.useCases.principals(token))
    await held.reached
    await right(stage.anotherProcess().administerKeys.revoke('key'))
    stage.clock.advance(4000)
    held.release()
    await looking
    stage.clock.advance(1000)
    expect(await left(stage.useCases.principals(token))).to.deep.equal(invalid)
  })

  it('reads the store once in a few seconds', async () => {
    await right(stage.useCases.principals(token))
    documents.fail('get', 'tokens')
    await right(stage.useCases.principals(token))
    stage.clock.advance(3000)
    expect(await left(stage.useCases.principals(token))).to.deep.equal(unavailable)
    await right(stage.useCases.principals(token))
  })

  it('rejects a token whose key or user no longer exists', async () => {
    for (const { id, version } of await storedIn(documents, 'users'))
      await documents.remove('users', 0, id, version)()
    expect(await left(stage.useCases.principals(token))).to.deep.equal(invalid)
  })

  it('removes expired tokens, and those only', async () => {
    const { exchangeToken, administerKeys, expireTokens } = stage.useCases
    const key = await right(administerKeys.create({ instance: 1, role: 'reader' }))
    const form = { grantType: 'client_credentials', apiKey: key.api_key, apiSecret: key.api_secret }
    for (let count = 0; count < 450; count += 1) await right(exchangeToken({ ...form, address: 'a' }))
    stage.clock.advance(1000)
    const { accessToken: later } = await right(exchangeToken({ ...form, address: 'a' }))
    stage.clock.advance(day - 1000)
    expect(await expireTokens()).to.equal(451)
    expect(await expireTokens()).to.equal(0)
    await right(stage.useCases.principals(later))
  })
})
