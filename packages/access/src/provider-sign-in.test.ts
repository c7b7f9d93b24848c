import { E } from '@publishing-service/domain/fp'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { claimRolesOf, rolesOfClaims } from './provider-roles.js'
import { pathInDashboard, userOfIdentity, withoutLostRights, withRights } from './provider-sign-in.js'

describe('a user whom a provider knows', () => {
  it('has a name of one line', () => {
    const nameOf = (name: string | null, email: string | null = null) => userOfIdentity({ name, email }).name
    expect(nameOf('Ann\r\n\r\nLocked:\u2028x\u0000y')).to.equal('Ann Locked: x y')
    expect(nameOf('Ann', 'ann@example.org')).to.equal('Ann')
    for (const none of [null, '', '\n\n', ' \u200b'])
      expect(nameOf(none, 'ann@example.org')).to.equal('ann@example.org')
    expect([...nameOf('😀'.repeat(300))]).to.have.lengthOf(255)
  })
})

describe('rights by a provider', () => {
  const read = claimRolesOf('groups:editors=1/editor,groups:admins=operator')
  const mapping = E.isRight(read) ? read.right : []
  const held = { operator: true, roles: [{ instance: 1, roles: ['reader' as const, 'editor' as const] }] }

  it('are taken away where the mapping decides about them, and no others', () => {
    const none = rolesOfClaims(mapping, {})
    expect(withoutLostRights(held, mapping, none)).to.deep.equal({
      operator: false,
      roles: [{ instance: 1, roles: ['reader'] }],
    })
    expect(withoutLostRights(held, [], none)).to.deep.equal(held)
    const editors = rolesOfClaims(mapping, { groups: ['editors', 'admins'] })
    expect(withoutLostRights(held, mapping, editors)).to.deep.equal(held)
    expect(withRights({ operator: false, roles: [] }, editors)).to.deep.equal({
      operator: true,
      roles: [{ instance: 1, roles: ['editor'] }],
    })
  })

  it('lead back to a path of the dashboard only', () => {
    for (const path of ['/', '/1/content', '/1/content?review=requested'])
      expect(pathInDashboard(path)).to.equal(path)
    for (const other of ['', '//evil.example', 'https://evil.example', '/\\evil', '/a b', '/\r\nx', 'x'])
      expect(pathInDashboard(other)).to.equal('/')
    expect(pathInDashboard(`/${'x'.repeat(500)}`)).to.equal('/')
  })
})
