/** A draft has the changes that were made, and nothing else (docs/behaviour/drafts.md#the-draft-of-an-object). */
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { content } from '../content/content.js'
import { E } from '../fp.js'
import { jsonEqual } from '../json.js'
import type { JsonObject } from '../json.js'
import { location } from '../locations/location.js'
import { anyWriter, kindsOf, stateOf } from '../testing/arbitraries.js'
import { command, later, now, viewOn, whateverIsReferredTo, withAddon } from '../testing/index.js'
import type { Steps } from '../resource/decide-write.js'
import {
  decideDraftChange,
  decidePublication,
  draftAfter,
  draftShapeOf,
  draftState,
  emptyDraft,
} from './object-draft.js'
import { viewOf } from '../resource/read-plan.js'
import { tableEntries, attributesOf } from '../resource/attribute-tables.js'

const runs = { numRuns: 10 } as const
const writer = { role: 'admin', user: null } as const

const ended = <A>(steps: Steps<A>): A => {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    if (step.value?.about === 'objects') step.value.answer(whateverIsReferredTo(step.value.lookups))
    if (step.value?.about === 'first') step.value.answer(null)
    if (step.value?.about === 'taken') step.value.answer(new Set())
  }
}

for (const resource of [content, location]) {
  /** What a draft can change in a state. */
  const changeable = (state: JsonObject): JsonObject => {
    const { clientSet, draftable } = tableEntries(attributesOf(resource, state))
    return Object.fromEntries(
      [...clientSet]
        .filter(([name]) => draftable.has(name))
        .map(([name, { initial = null }]) => [name, state[name] ?? initial]),
    )
  }

  for (const { name, variant } of kindsOf(resource)) {
    const states = stateOf(resource, variant)

    describe(`drafts of ${resource.collection}: ${name}`, () => {
      it('show the state that they were given, and change what differs alone', () => {
        fc.assert(
          fc.property(states, states, (object, other) => {
            const after = { ...object, ...changeable(other) }
            const change = { object, version: 3, before: null, now, user: null }
            const draft = draftAfter(resource, { ...change, after: { ...after, ...emptyDraft(3).own } })
            const shown = draftState(resource, object, draft)
            expect(changeable(shown)).to.deep.equal(changeable(after))
            for (const [changed, value] of Object.entries(draft.changes)) {
              expect(jsonEqual(value, object[changed] ?? null), changed).to.equal(false)
              expect(draft.base[changed]).to.deep.equal(object[changed] ?? null)
            }
          }),
          runs,
        )
      })

      it('are not changed by a PUT of what was read', () => {
        fc.assert(
          fc.property(states, states, anyWriter, (object, other, role) => {
            const shape = draftShapeOf(resource)
            const change = { object, version: 3, now, user: null }
            const after = { ...object, ...changeable(other), ...emptyDraft(3).own }
            const draft = draftAfter(resource, { ...change, before: null, after })
            const previous = draftState(resource, object, draft)
            const input = viewOf(shape, previous, viewOn(shape, previous, { role }))
            const sent = { ...command('put', input, previous, { now: later, settings: withAddon }), previous }
            const decided = ended(decideDraftChange(shape, { ...sent, object, version: 3 }))
            if (E.isLeft(decided)) throw new Error(JSON.stringify(decided.left))
            expect(
              draftAfter(resource, { ...change, before: draft, after: decided.right, now: later }),
            ).to.equal(draft)
          }),
          runs,
        )
      })

      it('are the object once they are published, and then change nothing', () => {
        fc.assert(
          fc.property(states, states, (object, other) => {
            const changes = { title: other['title'] ?? null }
            const draft = { changes, base: { title: object['title'] ?? null }, own: emptyDraft(3).own }
            const at = { id: 'x', now: later, ...writer, settings: withAddon, draft }
            const decided = ended(decidePublication(resource, { ...at, previous: object }))
            if (E.isLeft(decided)) throw new Error(JSON.stringify(decided.left))
            const { state } = decided.right
            expect(changeable(state)).to.deep.equal({ ...changeable(object), ...changes })
            expect(ended(decidePublication(resource, { ...at, previous: state }))).to.deep.equal(
              E.right({ state, effects: null }),
            )
          }),
          runs,
        )
      })
    })
  }
}
