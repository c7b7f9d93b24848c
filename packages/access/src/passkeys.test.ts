import { expect } from 'chai'
import { describe, it } from 'mocha'
import { accountOf } from './account.js'
import { storedPasskey } from './passkey.test-data.js'
import { passkeyParty, withPasskeyUse } from './passkeys.js'

const passkey = { key: 'a key', ...storedPasskey }

describe('passkeys of an account', () => {
  const account = { ...accountOf({}), passkeys: [passkey] }

  it('are used with a counter that grows, if it counts', () => {
    expect(withPasskeyUse(account, 'a key', { counter: 6, now: 7 })?.passkeys[0]).to.include({
      counter: 6,
      last_used: 7,
    })
    for (const counter of [5, 4, 0])
      expect(withPasskeyUse(account, 'a key', { counter, now: 7 })).to.equal(null)
    const synced = { ...account, passkeys: [{ ...passkey, counter: 0 }] }
    expect(withPasskeyUse(synced, 'a key', { counter: 0, now: 7 })).not.to.equal(null)
    expect(withPasskeyUse(account, 'another key', { counter: 6, now: 7 })).to.equal(null)
  })

  it('are bound to host and origin of the service, without a default port', () => {
    expect(passkeyParty('https://CMS.example.org:443')).to.include({
      id: 'cms.example.org',
      origin: 'https://cms.example.org',
    })
    expect(passkeyParty('http://localhost:8080/api')).to.include({
      id: 'localhost',
      origin: 'http://localhost:8080',
    })
  })
})
