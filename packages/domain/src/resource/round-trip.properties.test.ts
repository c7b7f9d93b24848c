/**
 * A GET response can be sent back and changes nothing, and a PATCH changes only the attributes that are sent. For every resource, content type and attribute (docs/behaviour/writing.md#round-trip, docs/behaviour/writing.md#put).
 */
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import type { JsonObject } from '../json.js'
import { accompanied, anyWriter, changeFor, kindsOf, stateOf } from '../testing/arbitraries.js'
import { eventTimes } from '../events/occurrences.js'
import { command, later, withAddon, viewOn, withoutAddon, write } from '../testing/index.js'
import { fieldsOf } from './collection-query.js'
import { resources } from './resources.js'
import { tableEntries } from './attribute-tables.js'
import { readPlan, viewOf } from './read-plan.js'

const runs = { numRuns: 10 } as const

const zones = ['Europe/Vienna', 'America/Sao_Paulo'] as const

const ofReview = ['review', 'review_note', 'review_assignee', 'review_by', 'review_at']

/** What the service sets if another attribute has a value. */
const following: Readonly<Record<string, readonly string[]>> = {
  state: ['issued', ...ofReview],
  review: ofReview,
  review_note: ofReview,
  review_assignee: ofReview,
  modified: ['modified_sent'],
  is_listing: ['listing_start'],
  ...Object.fromEntries(eventTimes.map((name) => [name, ['occurrences', 'occurrences_due']])),
  coupon_img_uuid: ['coupon_title', 'coupon_description', 'coupon_start', 'coupon_expires'],
}

const names = (state: JsonObject): readonly string[] => Object.keys(state)

const changedNames = (before: JsonObject, after: JsonObject): readonly string[] =>
  [...new Set([...names(before), ...names(after)])].filter(
    (name) => JSON.stringify(before[name] ?? null) !== JSON.stringify(after[name] ?? null),
  )

for (const resource of resources) {
  for (const { name, variant } of kindsOf(resource)) {
    const states = stateOf(resource, variant)
    const computedNames = Object.keys(resource.attributes).filter(
      (each) => resource.attributes[each]?.kind === 'computed',
    )

    describe(`${resource.collection}: ${name}`, () => {
      it('PUT of a GET response changes nothing, also in another zone', () => {
        fc.assert(
          fc.property(states, anyWriter, fc.constantFrom(...zones), (state, role, zone) => {
            const view = viewOf(resource, state, viewOn(resource, state, { role }))
            const settings = { ...withAddon, timezone: zone }
            const { draft, state: after } = write(
              resource,
              command('put', view, state, { now: later, settings }),
            )
            expect(draft.faults).to.deep.equal([])
            expect(after).to.deep.equal(state)
          }),
          runs,
        )
      })

      it('PUT of a GET response changes nothing with strict handling', () => {
        fc.assert(
          fc.property(states, (state) => {
            const view = viewOf(resource, state, viewOn(resource, state))
            const { draft, state: after } = write(
              resource,
              command('put', view, state, { now: later, strict: true }),
            )
            expect(draft.faults).to.deep.equal([])
            expect(after).to.deep.equal(state)
          }),
          runs,
        )
      })

      it('PUT of a GET response changes nothing without the directory add-on', () => {
        fc.assert(
          fc.property(states, (state) => {
            const view = viewOf(resource, state, viewOn(resource, state, { settings: withoutAddon }))
            const sent = command('put', view, state, { now: later, settings: withoutAddon })
            const { draft, state: after } = write(resource, sent)
            expect(draft.faults).to.deep.equal([])
            expect(after).to.deep.equal(state)
          }),
          runs,
        )
      })

      it('PUT of a GET response reads the same after targets were deleted', () => {
        fc.assert(
          fc.property(states, fc.func(fc.boolean()), (state, isDead) => {
            const circumstances = viewOn(resource, state, { isDead: ({ id }) => isDead(id) })
            const view = viewOf(resource, state, circumstances)
            const { draft, state: after } = write(resource, command('put', view, state, { now: later }))
            expect(draft.faults).to.deep.equal([])
            expect(viewOf(resource, after, circumstances)).to.deep.equal(view)
          }),
          runs,
        )
      })

      it('PUT of a GET response under another UUID creates an object that reads the same', () => {
        fc.assert(
          fc.property(states, (state) => {
            const { uuid: _own, ...view } = viewOf(resource, state, viewOn(resource, state))
            const { draft, state: copy } = write(resource, command('put', view, null, { now: later }))
            expect(draft.faults).to.deep.equal([])
            for (const each of names(view)) {
              const attribute = resource.attributes[each]
              if (attribute?.kind === 'stored' && !attribute.readOnly)
                expect(copy[each], each).to.deep.equal(state[each])
            }
          }),
          runs,
        )
      })

      it('PATCH of nothing, or of a GET response, changes nothing', () => {
        fc.assert(
          fc.property(states, (state) => {
            const view = viewOf(resource, state, viewOn(resource, state))
            for (const input of [{}, view]) {
              const { draft, state: after } = write(resource, command('patch', input, state, { now: later }))
              expect(draft.faults).to.deep.equal([])
              expect(after).to.deep.equal(state)
            }
          }),
          runs,
        )
      })

      it('PATCH of one attribute changes only it, attributes computed from it, and modified', () => {
        fc.assert(
          fc.property(states, changeFor(resource, variant), (state, change) => {
            const input = { ...accompanied(resource, change, 'patch'), unknown: 1 }
            const { draft, state: after } = write(resource, command('patch', input, state, { now: later }))
            // A violation of a rule between attributes is rejected, which the tests of the rule check.
            fc.pre(draft.faults.length === 0)
            const changed = changedNames(state, after)
            const own = names(input)
            const { moments } = tableEntries(resource.attributes)
            const derivable = [
              ...own,
              ...computedNames,
              'modified',
              ...own.flatMap((each) => following[each] ?? []),
              ...moments.flatMap(([moment, of]) => (own.includes(of) ? moment : [])),
            ]
            expect(derivable).to.include.members([...changed])
            const isStamped = resource.attributes['modified'] !== undefined && !own.includes('modified')
            if (isStamped && changed.length > 0) expect(after['modified']).to.equal(later)
            if (!own.includes('modified') && changed.length === 0)
              expect(after['modified']).to.equal(state['modified'])
          }),
          runs,
        )
      })

      it('returns the same values in a row as in the object', () => {
        const table = fieldsOf(resource)
        fc.assert(
          fc.property(states, (state) => {
            const circumstances = viewOn(resource, state)
            const attributes = [...table.values()]
            const plan = readPlan(resource, circumstances, attributes)
            const view = plan.object(state, circumstances)
            expect(plan.row(state, circumstances)).to.deep.equal(attributes.map((each) => view[each] ?? null))
          }),
          runs,
        )
      })
    })
  }
}
