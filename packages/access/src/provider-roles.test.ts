import { expect } from 'chai'
import { describe, it } from 'mocha'
import { E } from '@publishing-service/domain/fp'
import { claimRolesOf, rolesOfClaims } from './provider-roles.js'

const mappingOf = (text: string) => {
  const read = claimRolesOf(text)
  if (E.isLeft(read)) throw new Error(read.left)
  return read.right
}

const nobody = { operator: false, roles: [] }

describe('claimRolesOf', () => {
  it('reads claims, values and what they grant', () => {
    expect(mappingOf('groups:/news/editors=1/editor, realm_access.roles:cms admins=operator,')).to.deep.equal(
      [
        { claim: ['groups'], value: '/news/editors', grants: { instance: 1, role: 'editor' } },
        { claim: ['realm_access', 'roles'], value: 'cms admins', grants: 'operator' },
      ],
    )
    expect(mappingOf('')).to.deep.equal([])
  })

  it('decodes the characters that entries consist of', () => {
    expect(mappingOf('https%3A//example%2Eorg/roles:CN%3Deditors%2CDC%3Dexample=2/reader')).to.deep.equal([
      {
        claim: ['https://example.org/roles'],
        value: 'CN=editors,DC=example',
        grants: { instance: 2, role: 'reader' },
      },
    ])
  })

  for (const entry of [
    'groups',
    'groups:editors',
    'groups:editors=',
    'groups:editors=editor',
    'groups:editors=0/editor',
    'groups:editors=1234567890/editor',
    'groups:editors=1/publisher',
    'groups:editors=1/editor/2',
    'groups:a=b=1/editor',
    'groups:a:b=1/editor',
    ':editors=1/editor',
    'a..b:editors=1/editor',
    'groups:%zz=1/editor',
    'my groups:editors=1/editor',
  ])
    it(`rejects ${entry} by naming it`, () => {
      const read = claimRolesOf(`groups:readers=1/reader,${entry}`)
      expect(E.isLeft(read) && read.left)
        .to.match(/^must be /)
        .and.contain(`“${entry}”`)
    })
})

describe('rolesOfClaims', () => {
  it('grants what the entries of all matching values grant', () => {
    const mapping = mappingOf('groups:a=2/editor,groups:b=1/admin,groups:a=1/reader,groups:c=operator')
    expect(rolesOfClaims(mapping, { groups: ['a', 'b', 'other'] })).to.deep.equal({
      operator: false,
      roles: [
        { instance: 1, roles: ['reader', 'admin'] },
        { instance: 2, roles: ['editor'] },
      ],
    })
    expect(rolesOfClaims(mapping, { groups: ['c'] })).to.deep.equal({ operator: true, roles: [] })
  })

  it('compares texts, numbers and booleans, in lists and in objects', () => {
    const reader = { operator: false, roles: [{ instance: 1, roles: ['reader'] }] }
    expect(rolesOfClaims(mappingOf('hd:example.org=1/reader'), { hd: 'example.org' })).to.deep.equal(reader)
    expect(rolesOfClaims(mappingOf('staff:true=1/reader'), { staff: true })).to.deep.equal(reader)
    expect(rolesOfClaims(mappingOf('units:7=1/reader'), { units: [7] })).to.deep.equal(reader)
    expect(rolesOfClaims(mappingOf('a.b:c=1/reader'), { a: { b: ['c'] } })).to.deep.equal(reader)
  })

  it('grants nothing for other values, other claims and inherited names', () => {
    const mapping = mappingOf('groups:editors=operator')
    for (const groups of [
      ['Editors'],
      'editors2',
      ['editors,admins'],
      null,
      { editors: true },
      [['editors']],
      [],
    ])
      expect(rolesOfClaims(mapping, { groups }), JSON.stringify(groups)).to.deep.equal(nobody)
    expect(rolesOfClaims(mapping, { 'other.groups': ['editors'] })).to.deep.equal(nobody)
    expect(rolesOfClaims(mappingOf('constructor.name:Object=operator'), {})).to.deep.equal(nobody)
    expect(rolesOfClaims([], { groups: ['editors'] })).to.deep.equal(nobody)
  })
})
