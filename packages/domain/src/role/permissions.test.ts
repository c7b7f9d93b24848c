/**
 * Who may do what: the matrix of roles, and that each role may do what the weaker ones may
 * (docs/behaviour/access.md#roles).
 */
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import {
  actions,
  permissions,
  roleNeeded,
  type Subject,
  isRole,
  mayActAs,
  roles,
  strongest,
} from './permissions.js'

const allowed = (subject: Subject): Readonly<Record<string, string>> =>
  Object.fromEntries(
    roles.map((role) => [
      role,
      actions
        .filter((action) => {
          const needed = roleNeeded(subject, action)
          return needed !== null && mayActAs(role, needed)
        })
        .join(' '),
    ]),
  )

describe('permissions', () => {
  it('are these for each role', () => {
    const all = 'read history create update remove'
    expect(allowed('sections')).to.deep.equal({
      public_user: 'read',
      reader: 'read',
      contributor: 'read',
      editor: 'read history update',
      admin: all,
    })
    expect(allowed('settings')).to.deep.equal({
      public_user: 'read',
      reader: 'read',
      contributor: 'read',
      editor: 'read',
      admin: 'read update',
    })
    for (const subject of ['content', 'files'] as const)
      expect(allowed(subject)).to.deep.equal({
        public_user: 'read',
        reader: 'read',
        contributor: all,
        editor: all,
        admin: all,
      })
    expect(allowed('tags')).to.deep.equal({
      public_user: 'read',
      reader: 'read',
      contributor: 'read attach',
      editor: `${all} attach`,
      admin: `${all} attach`,
    })
    for (const subject of ['locations', 'redirects', 'homepage'] as const)
      expect(allowed(subject)).to.deep.equal({
        public_user: 'read',
        reader: 'read',
        contributor: 'read',
        editor: all,
        admin: all,
      })
    const withoutHistory = 'read create update remove'
    for (const subject of ['tag_categories', 'blogs'] as const)
      expect(allowed(subject)).to.deep.equal({
        public_user: 'read',
        reader: 'read',
        contributor: 'read',
        editor: withoutHistory,
        admin: withoutHistory,
      })
    expect(allowed('instance')).to.deep.equal({
      public_user: 'read',
      reader: 'read',
      contributor: 'read',
      editor: 'read',
      admin: 'read',
    })
  })

  it('grow with the role', () => {
    for (const subject of Object.keys(permissions) as Subject[])
      for (const action of actions) {
        const needed = roleNeeded(subject, action)
        if (needed === null) continue
        const may = roles.map((role) => mayActAs(role, needed))
        expect(may).to.deep.equal(may.toSorted((a, b) => Number(a) - Number(b)))
        expect(may.at(-1)).to.equal(true)
      }
  })
})

describe('roles', () => {
  it('may act as themselves and as weaker ones', () => {
    for (const [index, role] of roles.entries())
      for (const [other, needed] of roles.entries()) expect(mayActAs(role, needed)).to.equal(index >= other)
  })

  it('of one user count as the strongest', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...roles)), (held) => {
        const best = Math.max(-1, ...held.map((role) => roles.indexOf(role)))
        expect(strongest(held)).to.equal(roles[best] ?? null)
      }),
    )
  })

  it('are known by their names alone', () => {
    for (const role of roles) expect(isRole(role)).to.equal(true)
    for (const name of ['', 'Admin', 'root', 'toString']) expect(isRole(name)).to.equal(false)
  })
})
