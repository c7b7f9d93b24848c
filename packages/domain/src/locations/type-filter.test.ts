/** The parameter `type` agrees with what a role reads of each location (docs/behaviour/locations.md#type-filter). */
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { E } from '../fp.js'
import type { JsonObject } from '../json.js'
import { parseCollectionQuery } from '../resource/collection-query.js'
import { matchesFilter, type Filter } from '../resource/filter.js'
import { viewOf } from '../resource/read-plan.js'
import { roles, type Role } from '../role/permissions.js'
import { anyRole } from '../testing/arbitraries.js'
import { command, viewer, viewOn, withoutAddon, write } from '../testing/index.js'
import type { NaiveDateTime } from '../time/naive-date-time.js'
import { location } from './location.js'

const moments = [
  '2026-03-01T12:59:59.999',
  '2026-03-01T13:00:00',
  '2026-03-01T13:00:00.001',
  '2026-03-01T13:00:01',
  '2026-03-02T00:00:00',
] as const

const moment = fc.constantFrom(...moments).map((text) => text as NaiveDateTime)

const whereOf = (type: string | undefined, role: Role, now: NaiveDateTime): readonly Filter[] => {
  const parameters = type === undefined ? {} : { type }
  const query = parseCollectionQuery(location, parameters, viewer(role, { now }), true)
  if (E.isLeft(query)) throw new Error(JSON.stringify(query.left))
  return query.right.where
}

const isListed = (state: JsonObject, type: string | undefined, role: Role, now: NaiveDateTime): boolean =>
  whereOf(type, role, now).every((filter) => matchesFilter(filter, state))

const locations: fc.Arbitrary<JsonObject> = fc
  .record({
    state: fc.constantFrom('published', 'draft'),
    is_listing: fc.boolean(),
    sponsored: fc.boolean(),
    listing_start: fc.option(moment),
    listing_expires: fc.option(moment),
    at: moment,
  })
  .map(({ at, ...input }) => {
    const send = (sent: JsonObject) =>
      write(location, command('put', { title: 'x', urlname: 'x', ...sent }, null, { now: at }))
    const { draft, state } = send(input)
    return draft.faults.length === 0 ? state : send({ ...input, listing_expires: null }).state
  })

describe('the parameter type of locations', () => {
  it('agrees with the view: active listings to the public, all to the others, sponsored ones, and the rest', () => {
    fc.assert(
      fc.property(locations, anyRole, moment, (state, role, now) => {
        const shown = viewOf(location, state, viewOn(location, state, { role, at: now }))
        const visible = isListed(state, undefined, role, now)
        expect(visible).to.equal(role !== 'public_user' || state['state'] === 'published')
        const listing = shown[role === 'public_user' ? 'listing_active' : 'is_listing'] === true
        expect(isListed(state, 'listing', role, now), 'listing').to.equal(visible && listing)
        expect(isListed(state, 'location', role, now), 'location').to.equal(visible && !listing)
        expect(isListed(state, 'sponsored', role, now), 'sponsored').to.equal(
          visible && listing && shown['sponsored'] === true,
        )
      }),
      { numRuns: 1000 },
    )
  })

  it('uses declared keys, and accepts three words', () => {
    for (const role of roles)
      for (const word of ['listing', 'location', 'sponsored']) {
        const at = viewer(role, { now: moments[1] as NaiveDateTime })
        const parsed = parseCollectionQuery(location, { type: word }, at, false)
        if (E.isLeft(parsed)) return expect.fail(word)
        const keys = parsed.right.where
          .flatMap((each) => ('anyOf' in each ? each.anyOf.flat() : [each]))
          .map(({ key }) => key)
        expect([
          ...(location.filters['type']?.keys ?? []),
          ...(location.shownToPublic?.keys ?? []),
        ]).to.include.members(keys)
      }
    for (const word of ['', 'Listing', 'listings', 'all', 'toString']) {
      const query = parseCollectionQuery(
        location,
        { type: word },
        viewer('admin', { now: moments[1] as NaiveDateTime }),
        false,
      )
      expect(E.isLeft(query) && query.left).to.deep.equal([
        { path: 'type', code: 'parameter', message: 'must be one of listing, location, sponsored' },
      ])
    }
  })

  it('needs the directory add-on', () => {
    for (const role of roles)
      for (const type of ['listing', 'location', 'sponsored', 'x']) {
        const query = parseCollectionQuery(
          location,
          { type },
          viewer(role, { settings: withoutAddon }),
          false,
        )
        expect(
          E.isLeft(query) && query.left.map(({ path, message }) => [path, message.includes('add-on')]),
        ).to.deep.equal([['type', true]])
      }
  })
})
