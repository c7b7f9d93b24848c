import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { E } from '@publishing-service/domain/fp'
import { roles } from '@publishing-service/domain/roles'
import { accountChange } from './account.js'
import { linkAcceptance } from './links.js'
import { newPasskey, passkeyChange } from './passkeys.js'
import {
  nameFaults,
  userAttributes,
  instancesLosingAdmin,
  withoutRole,
  withRole,
  type InstanceRoles,
  isTokenValid,
  tokenSeconds,
} from './user.js'

// The roles of API users on instances (docs/behaviour/access.md#keys), and which instances a change leaves without an
// admin key.

const admin = (instance: number): InstanceRoles => ({ instance, roles: ['admin'] })
const editor = (instance: number): InstanceRoles => ({ instance, roles: ['editor'] })

const pair = fc.record({ instance: fc.integer({ min: 1, max: 4 }), role: fc.constantFrom(...roles) })
const heldRoles = fc
  .array(pair)
  .map((pairs) =>
    pairs.reduce<readonly InstanceRoles[]>((held, { instance, role }) => withRole(held, instance, role), []),
  )

describe('the names of people and of their passkeys', () => {
  it('have one line, wherever they are sent', () => {
    const names = [
      userAttributes.name,
      accountChange.attributes.name,
      linkAcceptance.attributes.name,
      linkAcceptance.attributes.passkey_title,
      newPasskey.attributes.title,
      passkeyChange.attributes.title,
    ]
    const context = { zone: 'UTC', streamingHosts: [], strict: false }
    for (const { type } of names) {
      expect(E.isRight(type.decode('Ann', context))).to.equal(true)
      expect(E.isRight(type.decode('Ann\n\nLocked', context))).to.equal(false)
    }
    expect(nameFaults('Ann\nLocked').map(({ path }) => path)).to.deep.equal(['name'])
  })
})

describe('the roles of an API user', () => {
  it('are listed by instance, from the weakest to the strongest, each once', () => {
    const held = withRole(withRole(withRole([admin(2)], 1, 'editor'), 1, 'reader'), 1, 'editor')
    expect(held).to.deep.equal([{ instance: 1, roles: ['reader', 'editor'] }, admin(2)])
  })

  it('lose one role, or all on an instance, and then do not name the instance', () => {
    const held = [{ instance: 1, roles: ['reader', 'editor'] } as const, admin(2)]
    expect(withoutRole(held, 1, 'reader')).to.deep.equal([editor(1), admin(2)])
    expect(withoutRole(held, 1, null)).to.deep.equal([admin(2)])
    expect(withoutRole(held, 2, 'admin')).to.deep.equal([held[0]])
    expect(withoutRole(held, 2, 'reader')).to.deep.equal(held)
    expect(withoutRole(held, 3, null)).to.deep.equal(held)
  })

  it('are as before if a role is added and removed again', () => {
    fc.assert(
      fc.property(heldRoles, pair, (held, { instance, role }) => {
        const without = withoutRole(held, instance, role)
        expect(withoutRole(withRole(without, instance, role), instance, role)).to.deep.equal(without)
        expect(withRole(withRole(held, instance, role), instance, role)).to.deep.equal(
          withRole(held, instance, role),
        )
      }),
    )
  })
})

describe('instancesLosingAdmin', () => {
  it('names the instances whose last admin key a change removes', () => {
    const [one, two, both] = [
      { roles: [admin(1)] },
      { roles: [admin(2)] },
      { roles: [admin(2), admin(1), editor(3)] },
    ]
    expect(instancesLosingAdmin([one, two], [two])).to.deep.equal([1])
    expect(instancesLosingAdmin([one, both], [one])).to.deep.equal([2])
    expect(instancesLosingAdmin([both], [])).to.deep.equal([1, 2])
    expect(instancesLosingAdmin([one, both], [both])).to.deep.equal([])
    expect(instancesLosingAdmin([{ roles: [editor(1)] }], [])).to.deep.equal([])
  })
})

const lifetime = tokenSeconds * 1000

describe('the lifetime of a token', () => {
  const issued = 5_000_000_000
  const expires = issued + lifetime

  it('ends at the exact millisecond', () => {
    expect(isTokenValid(expires, issued)).to.equal(true)
    expect(isTokenValid(expires, expires - 1)).to.equal(true)
    expect(isTokenValid(expires, expires)).to.equal(false)
  })

  it('is extended by a clock that steps back, but by at most one lifetime', () => {
    expect(isTokenValid(expires, issued - lifetime)).to.equal(true)
    expect(isTokenValid(expires, issued - lifetime - 1)).to.equal(false)
  })
})
