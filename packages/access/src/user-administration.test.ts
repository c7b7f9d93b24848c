/** Who may administer which users: docs/behaviour/administration.md#instance-admins. */
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { mayActAs, roles, strongest } from '@publishing-service/domain/roles'
import {
  hasStanding,
  standingOf,
  administeredBy,
  keyChangeProblem,
  maySeeUser,
  namedInstanceProblem,
  roleChanges,
  userChangeProblem,
  visibleRoles,
  withVisibleRoles,
} from './user-administration.js'
import { normalRoles, userOf, withRole, type InstanceRoles, type User, type UserRights } from './user.js'

const user = (held: readonly InstanceRoles[], operator = false, name = 'x'): User => ({
  ...userOf({}),
  name,
  operator,
  roles: held,
})
const admin = (instance: number): InstanceRoles => ({ instance, roles: ['admin'] })
const editor = (instance: number): InstanceRoles => ({ instance, roles: ['editor'] })

const adminOf1 = user([admin(1)])
const operator = user([], true)

describe('an operator', () => {
  it('changes every user, but has no role on an instance by itself', () => {
    expect(standingOf(operator)).to.equal('operator')
    expect(administeredBy(operator).size).to.equal(0)
    for (const before of [null, user([]), user([admin(1), editor(2)]), operator])
      expect(userChangeProblem(operator, before, user([admin(3)], true))).to.equal(null)
    expect(userChangeProblem(operator, operator, null)).to.equal(null)
    expect(keyChangeProblem(operator, operator)).to.equal(null)
  })
})

describe('an admin of an instance', () => {
  it('sees the users with a role there, and only their roles there', () => {
    expect(maySeeUser(adminOf1, user([editor(2)]))).to.equal(false)
    expect(maySeeUser(adminOf1, user([]))).to.equal(false)
    expect(visibleRoles(adminOf1, user([editor(1), admin(2)]))).to.deep.equal([editor(1)])
    expect(userChangeProblem(adminOf1, user([editor(2)]), null)).to.have.property('_tag', 'NotFound')
    expect(keyChangeProblem(adminOf1, user([editor(2)]))).to.have.property('_tag', 'NotFound')
  })

  it('creates users with a role there', () => {
    expect(userChangeProblem(adminOf1, null, user([admin(1)]))).to.equal(null)
    for (const after of [user([]), user([editor(1), editor(2)]), user([editor(1)], true)])
      expect(userChangeProblem(adminOf1, null, after)).to.have.property('_tag', 'Forbidden')
  })

  it('renames and deletes users, and changes their keys, only if they have no rights elsewhere', () => {
    const own = user([editor(1)])
    expect(userChangeProblem(adminOf1, own, null)).to.equal(null)
    expect(userChangeProblem(adminOf1, own, { ...own, name: 'y' })).to.equal(null)
    expect(keyChangeProblem(adminOf1, own)).to.equal(null)
    for (const other of [user([editor(1), editor(2)]), user([editor(1)], true)]) {
      expect(userChangeProblem(adminOf1, other, null)).to.have.property('_tag', 'Forbidden')
      expect(userChangeProblem(adminOf1, other, { ...other, name: 'y' })).to.have.property(
        '_tag',
        'Forbidden',
      )
      expect(keyChangeProblem(adminOf1, other)).to.have.property('_tag', 'Forbidden')
    }
  })

  it('cannot find out the roles of a user elsewhere by naming an instance', () => {
    expect(namedInstanceProblem(adminOf1, [1])).to.equal(null)
    expect(namedInstanceProblem(adminOf1, [1, 2])).to.have.property('_tag', 'Forbidden')
    expect(namedInstanceProblem(operator, [1, 2])).to.equal(null)
  })
})

const heldRoles = fc
  .array(fc.record({ instance: fc.integer({ min: 1, max: 3 }), role: fc.constantFrom(...roles) }), {
    maxLength: 4,
  })
  .map((pairs) =>
    pairs.reduce<readonly InstanceRoles[]>((all, { instance, role }) => withRole(all, instance, role), []),
  )
const anyUser = fc
  .record({
    name: fc.constantFrom('a', 'b'),
    operator: fc.boolean(),
    disabled: fc.boolean(),
    roles: heldRoles,
  })
  .map(userOf)

/** A command of an admin: what it sends, to the user at an index. */
const command = fc.record({
  kind: fc.constantFrom('create', 'change', 'replace roles', 'delete', 'create key'),
  at: fc.nat({ max: 6 }),
  draft: anyUser,
})

/** Whether the rights include nothing that the others lack. */
const isWithin = (rights: UserRights, others: UserRights): boolean =>
  (others.operator || !rights.operator) &&
  rights.roles.every(({ instance, roles: held }) => {
    const best = strongest(held)
    const own = strongest(others.roles.find((each) => each.instance === instance)?.roles ?? [])
    return best === null || (own !== null && mayActAs(own, best))
  })

describe('commands of an admin', () => {
  it('never give it or its keys a right that it lacked, and never change rights elsewhere', () => {
    fc.assert(
      fc.property(
        heldRoles,
        fc.array(anyUser, { maxLength: 4 }),
        fc.array(command),
        (own, others, commands) => {
          const first: User = user(own)
          const users: (User | null)[] = [first, ...others]
          const known = new Set<number>([0])
          const administered = administeredBy(first)
          for (const { kind, at, draft } of commands) {
            const caller = users[0]
            if (caller === null || caller === undefined || !hasStanding(caller, 'administrator')) break
            const index = at % users.length
            const before = users[index] ?? null
            if (kind === 'create') {
              if (userChangeProblem(caller, null, draft) === null) users.push(draft)
            } else if (before !== null && kind === 'create key') {
              if (keyChangeProblem(caller, before) === null) known.add(index)
            } else if (before !== null) {
              const after =
                kind === 'delete'
                  ? null
                  : kind === 'change'
                    ? draft
                    : { ...before, roles: withVisibleRoles(caller, before, draft.roles) }
              if (userChangeProblem(caller, before, after) !== null) continue
              users[index] = after
              const elsewhere = roleChanges(before.roles, after?.roles ?? []).filter(
                ({ instance }) => !administered.has(instance),
              )
              expect(elsewhere).to.deep.equal([])
            }
          }
          for (const index of known) {
            const now = users[index]
            if (now !== null && now !== undefined) expect(isWithin(now, first)).to.equal(true)
          }
        },
      ),
      { numRuns: 1000 },
    )
  })
})

describe('the roles of a user', () => {
  it('have one entry for each instance, in order', () => {
    const messy: readonly InstanceRoles[] = [
      { instance: 2, roles: ['admin', 'reader'] },
      { instance: 1, roles: [] },
      { instance: 2, roles: ['reader'] },
    ]
    expect(normalRoles(messy)).to.deep.equal([{ instance: 2, roles: ['reader', 'admin'] }])
  })

  it('that the caller does not see remain when it replaces those that it sees', () => {
    fc.assert(
      fc.property(heldRoles, heldRoles, heldRoles, (own, held, sent) => {
        const [caller, before] = [user(own), user(held)]
        const named = sent.filter(({ instance }) => administeredBy(caller).has(instance))
        const after = user(withVisibleRoles(caller, before, named))
        expect(visibleRoles(caller, after)).to.deep.equal(named)
        const hidden = ({ roles: all }: UserRights) =>
          all.filter(({ instance }) => !administeredBy(caller).has(instance))
        expect(hidden(after)).to.deep.equal(hidden(before))
      }),
    )
  })
})
