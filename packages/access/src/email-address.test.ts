/** Whose address an account has: docs/behaviour/accounts.md#addresses. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { accountOf, hasWayIn } from './account.js'
import {
  confirmedByOwnerProblem,
  type EmailSetter,
  isFoundByEmail,
  matchedAccount,
  withConfirmedEmail,
  withSetEmail,
  withTypedEmail,
} from './email-address.js'
import { userOf } from './user.js'

const ada = userOf({ name: 'Ada', email: 'ada@example.org', email_confirmed: true })
const admin: EmailSetter = { id: 'an admin', isOwn: false, operator: false, isStated: false }
const stated = { ...admin, isStated: true }
const own = { ...admin, id: 'ada', isOwn: true }

describe('an address', () => {
  it('is not confirmed when the person types it, and stays as it is when they leave it', () => {
    const typed = withTypedEmail({ ...ada, email_set_by: 'an admin' }, 'chief@example.org')
    expect(typed).to.include({ email: 'chief@example.org', email_confirmed: false, email_set_by: null })
    expect(isFoundByEmail(typed)).to.equal(false)
    expect(withTypedEmail(ada, ada.email)).to.equal(ada)
    expect(isFoundByEmail(withConfirmedEmail(typed))).to.equal(true)
  })

  it('of an earlier version has an unknown origin, and leads to no account', () => {
    const { email_confirmed: _unknown, ...stored } = ada
    expect(isFoundByEmail(userOf(stored))).to.equal(false)
  })

  it('that is missing is never confirmed', () => {
    const without = userOf({ name: 'Ada' })
    expect(isFoundByEmail(withConfirmedEmail(without))).to.equal(false)
    expect(withSetEmail(null, { ...without, email_confirmed: true }, stated).email_confirmed).to.equal(false)
  })

  it('that an administrator gives somebody is confirmed unless they say otherwise, and remembers who it was', () => {
    const changed = { ...ada, email: 'other@example.org', email_confirmed: false }
    const set = { email_confirmed: true, email_set_by: 'an admin' }
    expect(withSetEmail(null, changed, admin)).to.include(set)
    expect(withSetEmail(ada, changed, admin)).to.include(set)
    expect(withSetEmail(ada, changed, stated)).to.include({ ...set, email_confirmed: false })
    expect(withSetEmail(ada, changed, { ...admin, id: null })).to.include({ ...set, email_set_by: null })
  })

  it('that an administrator leaves as it is becomes confirmed only where they say so', () => {
    const typed = withTypedEmail(ada, 'chief@example.org')
    const renamed = { ...typed, name: 'Chief' }
    expect(withSetEmail(typed, renamed, admin)).to.deep.equal(renamed)
    const confirmed = { ...renamed, email_confirmed: true }
    expect(withSetEmail(typed, confirmed, stated)).to.deep.equal(confirmed)
  })

  it('is treated as typed when administrators give it to themselves, and only operators confirm their own', () => {
    const other = { ...ada, email: 'chief@example.org' }
    expect(withSetEmail(ada, other, own)).to.include({ email_confirmed: false, email_set_by: null })
    const ownStated = { ...own, isStated: true }
    const confirmed = withSetEmail(ada, other, ownStated)
    expect(confirmedByOwnerProblem(ada, confirmed, ownStated)).to.have.nested.property(
      'faults[0].path',
      'email_confirmed',
    )
    expect(confirmedByOwnerProblem(ada, confirmed, { ...ownStated, operator: true })).to.equal(null)
    expect(confirmedByOwnerProblem(ada, { ...ada, name: 'A.' }, ownStated)).to.equal(null)
    expect(confirmedByOwnerProblem(ada, confirmed, stated)).to.equal(null)
  })

  it('that leads to an account leaves it no other way in', () => {
    const identity = { issuer: 'i', subject: 's', created: 0, last_used: null }
    const account = accountOf({
      password: 'a hash',
      password_changed: 1,
      one_time_secret: 'a secret',
      recovery_codes: ['a code'],
      identities: [{ ...identity, subject: 'of another' }],
      identity_keys: ['another key'],
      picture: 'a picture',
    })
    const matched = matchedAccount(account, { ...identity, key: 'a key' })
    expect(matched).to.deep.equal(
      accountOf({ identities: [identity], identity_keys: ['a key'], picture: 'a picture' }),
    )
    expect(hasWayIn(matched)).to.equal(true)
  })
})
