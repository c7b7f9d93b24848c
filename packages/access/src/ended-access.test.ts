/** What changes of a user end: docs/behaviour/accounts.md#what-ends. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { endedAccess } from './ended-access.js'
import { entryKinds, linkKinds } from './links.js'
import { userOf } from './user.js'

const ada = userOf({ name: 'Ada', email: 'ada@example.org', roles: [{ instance: 1, roles: ['editor'] }] })

describe('a change of a user', () => {
  it('ends all its links with another address', () => {
    for (const email of ['other@example.org', null])
      expect(endedAccess(ada, { ...ada, email })).to.deep.equal({ links: linkKinds, sessions: false })
  })

  it('ends the links for getting in with other rights, also fewer', () => {
    const others = [
      { ...ada, operator: true },
      { ...ada, roles: [] },
      { ...ada, roles: [...ada.roles, { instance: 3, roles: ['admin' as const] }] },
    ]
    for (const after of others)
      expect(endedAccess(ada, after)).to.deep.equal({ links: entryKinds, sessions: false })
  })

  it('ends everything when it is disabled, and what is left of it when it is enabled', () => {
    const disabled = { ...ada, disabled: true }
    for (const [before, after] of [
      [ada, disabled],
      [disabled, ada],
    ] as const)
      expect(endedAccess(before, after)).to.deep.equal({ links: linkKinds, sessions: true })
  })

  it('ends nothing with another name or language, or where an address is confirmed', () => {
    const after = { ...ada, name: 'Ada L.', language: 'de' as const, email_confirmed: true }
    expect(endedAccess(ada, after)).to.deep.equal({ links: [], sessions: false })
  })
})
