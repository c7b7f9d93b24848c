/** The rules of people who sign in: docs/behaviour/accounts.md. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import {
  accountOf,
  effectiveRights,
  hasWayIn,
  isSessionValid,
  lastWayInProblem,
  losesWayIn,
  passwordFaults,
  sessionEnd,
  storedAccount,
  wayInChangeProblem,
  withoutCodes,
} from './account.js'
import { withoutWayIn, withWayInChange } from './keyed-ways-in.js'
import {
  acceptanceProblem,
  acceptedUser,
  entryKinds,
  isLinkValid,
  linkEnd,
  linkKindFor,
  replacedKinds,
} from './links.js'
import type { JsonObject } from '@publishing-service/domain/json'
import { editingRoleOn, userOf } from './user.js'
import { storedPasskey } from './passkey.test-data.js'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const now = Date.UTC(2026, 10, 27)
const withPassword = accountOf({ password: 'a hash' })
const identity = { issuer: 'i', subject: 's', created: 0, last_used: null }

describe('a session', () => {
  it('ends 12 hours after its last use, and 30 days after its beginning', () => {
    expect(sessionEnd(now, now)).to.equal(now + 12 * hour)
    expect(sessionEnd(now - 29 * day - 20 * hour, now)).to.equal(now + 4 * hour)
    expect(isSessionValid(now, now - 1)).to.equal(true)
    expect(isSessionValid(now, now)).to.equal(false)
  })

  it('is not valid for longer because the clock was set back', () => {
    expect(isSessionValid(sessionEnd(now, now), now - 13 * hour)).to.equal(false)
  })

  it('changes ways in within 15 minutes of a sign-in; a token never does', () => {
    const session = { id: 'x', authenticated: now }
    expect(wayInChangeProblem(session, now + 15 * minute)).to.equal(null)
    expect(wayInChangeProblem(session, now + 15 * minute + 1)).to.deep.equal({
      _tag: 'Forbidden',
      reason: 'sign-in',
    })
    expect(wayInChangeProblem(null, now)).to.deep.equal({ _tag: 'Forbidden', reason: 'session' })
  })
})

describe('a link', () => {
  it('is an invitation until the person has a way in', () => {
    expect([linkKindFor(false), linkKindFor(true)]).to.deep.equal(['invitation', 'reset'])
  })

  it('replaces those that lead to the same; one that anybody can request replaces only others of that kind', () => {
    for (const kind of ['set-up', 'invitation', 'reset'] as const)
      expect(replacedKinds(kind)).to.deep.equal(entryKinds)
    for (const kind of ['forgotten', 'confirmation'] as const)
      expect(replacedKinds(kind)).to.deep.equal([kind])
  })

  it('ends after its time', () => {
    const end = linkEnd('invitation', now)
    expect(end).to.equal(now + 72 * hour)
    expect(isLinkValid('invitation', end, end - 1)).to.equal(true)
    expect(isLinkValid('invitation', end, end)).to.equal(false)
  })

  it('needs a password where there is no other way in, and an address where there is a password', () => {
    const problem = (password: string | null, email: string | null, hasOtherWayIn: boolean) =>
      acceptanceProblem('invitation', { password, email, passkey: null }, { hasOtherWayIn, email: null })
    expect(problem(null, null, false)).to.have.nested.property('faults[0].path', 'password')
    expect(problem('x', null, false)).to.have.nested.property('faults[0].path', 'email')
    expect(problem('x', 'ada@example.org', false)).to.equal(null)
    expect(problem(null, null, true)).to.equal(null)
  })

  it('that came by mail is for a new password, and for nothing else', () => {
    const account = { hasOtherWayIn: true, email: 'ada@example.org' }
    const sent = (password: string | null, passkey: JsonObject | null) =>
      acceptanceProblem('forgotten', { password, passkey, email: null }, account)
    expect(sent('x', null)).to.equal(null)
    expect(sent('x', {})).to.have.nested.property('faults[0].path', 'passkey')
    expect(sent(null, null)).to.have.nested.property('faults[0].path', 'password')
    const before = userOf({
      name: 'Ada',
      email: account.email,
      email_confirmed: true,
      email_set_by: 'an admin',
    })
    const chosen = { name: 'Eve', email: 'eve@example.org' }
    expect(acceptedUser('forgotten', before, chosen)).to.deep.equal(before)
    const accepted = userOf({ name: 'Eve', email: chosen.email })
    expect(acceptedUser('reset', before, chosen)).to.deep.equal(accepted)
    expect(acceptedUser('invitation', before, { name: null, email: null })).to.deep.equal({
      ...before,
      email_set_by: null,
    })
  })
})

describe('a password', () => {
  it('has 12 to 256 characters, however many code units those are', () => {
    for (const good of ['x'.repeat(12), '🙂'.repeat(12), 'x'.repeat(256)])
      expect(passwordFaults(good)).to.deep.equal([])
    for (const bad of ['x'.repeat(11), '🙂'.repeat(6), 'x'.repeat(257)])
      expect(passwordFaults(bad)).to.have.length(1)
  })

  it('is not removed where it is the only way in', () => {
    const other = accountOf({ password: 'a hash', identities: [identity], identity_keys: ['a key'] })
    expect(lastWayInProblem(withPassword, accountOf({}))).to.have.property('_tag', 'BadParameters')
    expect(lastWayInProblem(other, { ...other, password: null })).to.equal(null)
    expect(lastWayInProblem(accountOf({}), accountOf({}))).to.equal(null)
    expect([hasWayIn(withPassword), hasWayIn(accountOf({}))]).to.deep.equal([true, false])
  })
})

describe('an account', () => {
  const stored = {
    ...withoutCodes,
    picture: null,
    password: 'a hash',
    password_changed: 1,
    one_time_secret: 'a secret',
    passkeys: [storedPasskey, { ...storedPasskey, id: 'another id' }],
    passkey_keys: ['one', 'two'],
    identities: [identity],
    identity_keys: ['three'],
  }
  const full = accountOf(stored)

  it('is stored as it was, with the keys of its ways in as lists', () => {
    expect(full.passkeys.map(({ id, key }) => [id, key])).to.deep.equal([
      ['id', 'one'],
      ['another id', 'two'],
    ])
    expect(storedAccount(full)).to.deep.equal(stored)
    const less = { ...full, passkeys: withoutWayIn(full.passkeys, 'one') }
    expect(storedAccount(less)).to.deep.include({
      passkeys: [stored.passkeys[1]],
      passkey_keys: ['two'],
      identity_keys: ['three'],
    })
  })

  it('changes the way in of a key, and none without it', () => {
    const { passkeys } = full
    const titles = (key: string) =>
      withWayInChange(passkeys, key, { title: 'Phone' }).map(({ title }) => title)
    expect([titles('two'), titles('four')]).to.deep.equal([
      ['Key', 'Phone'],
      ['Key', 'Key'],
    ])
    expect(withoutWayIn(passkeys, 'four')).to.deep.equal(passkeys)
  })

  it('loses a way in that is removed or replaced', () => {
    const less = [
      { password: null },
      { password: 'another hash' },
      { one_time_secret: null },
      { one_time_secret: 'another secret' },
      { passkeys: withoutWayIn(full.passkeys, 'one') },
      { identities: [] },
    ]
    for (const change of less)
      expect(losesWayIn(full, { ...full, ...change }), JSON.stringify(change)).to.equal(true)
  })

  it('loses none where one is added or used', () => {
    expect(losesWayIn(accountOf({}), full)).to.equal(false)
    expect(losesWayIn(full, { ...full, one_time_step: 7, recovery_codes: [] })).to.equal(false)
    const more = [...full.passkeys, { ...storedPasskey, key: 'four' }]
    expect(losesWayIn(full, { ...full, passkeys: more })).to.equal(false)
  })
})

describe('a disabled user', () => {
  const user = userOf({ name: 'Ada', operator: true, roles: [{ instance: 1, roles: ['admin'] }] })

  it('has no rights, and is not among those who edit', () => {
    expect(effectiveRights({ ...user, disabled: true })).to.deep.equal({ operator: false, roles: [] })
    expect(editingRoleOn({ ...user, disabled: true }, 1)).to.equal(null)
    expect(effectiveRights(user)).to.deep.equal({ operator: true, roles: user.roles })
    expect(editingRoleOn(user, 1)).to.equal('admin')
  })
})
