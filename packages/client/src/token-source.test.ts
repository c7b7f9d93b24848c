import { expect } from 'chai'
import { describe, it } from 'mocha'
import { tokenSource, type Token } from './token-source.js'

const { signal } = new AbortController()

const counting = () => {
  let time = 0
  let requests = 0
  const tokens = tokenSource(
    () => {
      requests += 1
      if (requests === 3) return Promise.reject(new Error('the third request fails'))
      return Promise.resolve({
        access_token: `${requests}`,
        token_type: 'bearer',
        expires_in: 600,
        items: [],
      })
    },
    () => time,
  )
  const next = async () => (await tokens.get(signal)).access_token
  const wait = (seconds: number) => {
    time += seconds * 1000
  }
  return { tokens, next, wait }
}

describe('a token', () => {
  it('is reused until a minute before it expires', async () => {
    const { next, wait } = counting()
    expect(await next()).to.equal('1')
    wait(539)
    expect(await next()).to.equal('1')
    wait(1)
    expect(await next()).to.equal('2')
  })

  it('is requested again after a failure', async () => {
    const { next, wait } = counting()
    await next()
    wait(600)
    await next()
    wait(600)
    const error = await next().catch((reason: unknown) => reason)
    expect(error).to.have.property('message', 'the third request fails')
    expect(await next()).to.equal('4')
  })

  it('is dropped only while it is the current one', async () => {
    const { tokens, next } = counting()
    const old = await tokens.get(signal)
    tokens.drop(old)
    expect(await next()).to.equal('2')
    tokens.drop(old)
    expect(await next()).to.equal('2')
  })

  it('is not waited for after an abort', async () => {
    const tokens = tokenSource(() => new Promise<Token>(() => undefined))
    const error = await tokens.get(AbortSignal.timeout(10)).catch((reason: unknown) => reason)
    expect(error).to.have.property('name', 'TimeoutError')
  })
})
