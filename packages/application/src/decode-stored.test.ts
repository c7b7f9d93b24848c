import { unreadable } from '@publishing-service/ports'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { userIn } from './access/stored-user.js'
import { StoredKey } from './administration/stored-keys.js'
import { decodeStored } from './decode-stored.js'
import { UnreadableDocument } from './instance-store.js'

const key = { user: 'u', secret: 'hash', created: 1, revoked: null }

describe('a document of the service itself', () => {
  it('is decoded by the codec of its collection, ignoring other attributes', () => {
    expect(decodeStored(StoredKey, { id: 'k', value: { ...key, later: true } })).to.include(key)
    expect(decodeStored(StoredKey, { id: 'k', value: { ...key, purpose: 'p' } }).purpose).to.equal('p')
  })

  it('is a defect if it has another shape', () => {
    for (const value of [unreadable, { ...key, created: '1' }, { ...key, purpose: 1 }])
      expect(() => decodeStored(StoredKey, { id: 'k', value }))
        .to.throw(UnreadableDocument)
        .with.property('message', 'The stored document k of keys on instance 0 is damaged and cannot be read')
  })

  it('is a defect if it is a user whose attributes have other types', () => {
    for (const value of [{ name: 1 }, { operator: 'yes' }, { roles: [{ instance: '1', roles: [] }] }])
      expect(() => userIn({ id: 'u', value })).to.throw(UnreadableDocument)
  })

  it('has no roles if it is a user without them, or with unknown ones', () => {
    const roles = [
      { instance: 2, roles: ['editor', 'king'] },
      { instance: 1, roles: ['king'] },
    ]
    expect(userIn({ id: 'u', value: {} }).roles).to.deep.equal([])
    expect(userIn({ id: 'u', value: { roles } }).roles).to.deep.equal([{ instance: 2, roles: ['editor'] }])
  })
})
