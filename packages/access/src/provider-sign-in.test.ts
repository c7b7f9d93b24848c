import { E } from '@publishing-service/domain/fp'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { claimRolesOf, rolesOfClaims } from './provider-roles.js'
import { pathInDashboard, withoutLostRights, withRights } from './provider-sign-in.js'

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
