/** The cookies of sign-ins with a provider that a browser has begun (docs/behaviour/accounts.md#provider). */
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { beginCookies, begunSecretIn, endedCookie } from './session-cookie.js'

const context = { base: 'https://cms.example.org' }

/** A browser, which sends its oldest cookies first. */
const createBrowser = () => {
  const cookies = new Map<string, string>([['another', 'a']])
  const request = (): IncomingMessage => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    return Object.assign(new IncomingMessage(new Socket()), { headers: { cookie } })
  }
  const receive = (headers: readonly string[]): void => {
    for (const header of headers) {
      const [, name = '', value = '', age] = /^([^=]+)=([^;]*);.*Max-Age=(\d+)/.exec(header) ?? []
      if (age === '0') cookies.delete(name)
      else cookies.set(name, value)
    }
  }
  const secretOf = (state: string) => begunSecretIn(request(), context, state)
  return { cookies, request, receive, secretOf }
}

describe('the cookies of sign-ins with a provider', () => {
  it('are one for each sign-in, and the end of a sign-in removes its cookie', () => {
    const { receive, request, secretOf } = createBrowser()
    for (const state of ['one', 'two'])
      receive(beginCookies(request(), context, { state, secret: `secret-${state}` }))
    receive([endedCookie(context, 'unknown; state=\r\n')])
    expect(['one', 'two', 'three'].map(secretOf)).to.deep.equal(['secret-one', 'secret-two', null])
    receive([endedCookie(context, 'one')])
    expect(['one', 'two'].map(secretOf)).to.deep.equal([null, 'secret-two'])
  })

  it('are a few at most, the newest ones', () => {
    const { cookies, receive, request, secretOf } = createBrowser()
    const states = Array.from({ length: 9 }, (_, index) => `state-${index}`)
    for (const state of states) receive(beginCookies(request(), context, { state, secret: state }))
    expect(states.map(secretOf).filter((secret) => secret !== null)).to.deep.equal(states.slice(-5))
    expect([...cookies.keys()][0]).to.equal('another')
  })
})
