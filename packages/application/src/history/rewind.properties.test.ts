/** After random writes, a rewind to a random moment gives the states that objects had then. */
import { content, redirect, section, tag, type Resource } from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import { subjectsWithVersions } from '@publishing-service/domain/roles'
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import type { RunOperation } from '../imports/run-import.js'
import { attachTag, changeObject, removeObject, replaceObject, restoreFromTrash } from '../operations.js'
import { article, aSection, createStage, right, storedIn, type Stage } from '../test-support/stage.js'
import { listRewound, rewindObjects } from './rewind.js'

/** What a rewind does not give back (docs/behaviour/history.md#rewind). */
const left: ReadonlySet<string> = new Set(['modified', 'touched_at', 'old_paths', 'past_paths'])

const uuid = (kind: number, number: number): string =>
  `${kind}0000000-0000-4000-8000-${String(number).padStart(12, '0')}`

const number = fc.integer({ min: 1, max: 3 })
const name = fc.constantFrom('a', 'b', 'c')
const title = fc.constantFrom('One', 'Two', 'Three')
const sectionOrNone = fc.oneof(
  fc.constant(null),
  number.map((each) => uuid(2, each)),
)

type Step = { readonly what: string; readonly run: (run: RunOperation) => () => Promise<unknown> }

const step = (what: string, run: Step['run']): Step => ({ what, run })

const putting = (resource: Resource, id: string, body: JsonObject): Step =>
  step(`put ${resource.name} ${id} ${JSON.stringify(body)}`, (run) =>
    run(replaceObject(resource), { id, body }),
  )
const changing = (resource: Resource, id: string, body: JsonObject): Step =>
  step(`change ${resource.name} ${id} ${JSON.stringify(body)}`, (run) =>
    run(changeObject(resource), { id, body }),
  )

const articleBody = fc.record({
  title,
  section_uuid: sectionOrNone,
  state: fc.constantFrom('draft', 'published'),
})

const articles = fc.oneof(
  fc
    .tuple(number, name, articleBody)
    .map(([id, urlname, body]) => putting(content, uuid(1, id), article(urlname, body))),
  fc.tuple(number, name).map(([id, urlname]) => changing(content, uuid(1, id), { urlname })),
  fc.tuple(number, articleBody).map(([id, body]) => changing(content, uuid(1, id), body)),
)
const sections = fc.oneof(
  fc
    .tuple(number, name, sectionOrNone)
    .map(([id, urlname, parent]) => putting(section, uuid(2, id), aSection(urlname, parent))),
  fc
    .tuple(number, name, sectionOrNone)
    .map(([id, urlname, parent_uuid]) => changing(section, uuid(2, id), { urlname, parent_uuid })),
)
const redirects = fc
  .tuple(number, name)
  .map(([id, from]) => putting(redirect, uuid(3, id), { pattern: `/from/${from}`, template: '/to', ord: 1 }))
// A new tag with the UUID of a deleted one is on no object: that is no change of an object, and nothing records it.
const tags = fc.oneof(
  fc.tuple(number, title).map(([id, text]) => changing(tag, uuid(4, id), { last_name_or_title: text })),
  fc.tuple(number, number).map(([id, objectId]) =>
    step(`tag ${objectId} with ${id}`, (run) =>
      run(attachTag, {
        tagId: uuid(4, id),
        predicate: 'describes',
        objectId: uuid(1, objectId),
        body: {},
      }),
    ),
  ),
)
const kinds = fc.constantFrom<readonly [number, Resource]>(
  [1, content],
  [2, section],
  [3, redirect],
  [4, tag],
)
const removals = fc
  .tuple(kinds, number)
  .map(([[kind, resource], id]) =>
    step(`remove ${resource.name} ${id}`, (run) => run(removeObject(resource), { id: uuid(kind, id) })),
  )
const restorations = fc
  .tuple(kinds, number)
  .map(([[kind, { collection, name: what }], id]) =>
    step(`restore ${what} ${id}`, (run) => run(restoreFromTrash, { collection, id: uuid(kind, id) })),
  )

const steps = fc.array(fc.oneof(articles, articles, sections, redirects, tags, removals, restorations), {
  minLength: 5,
  maxLength: 40,
})

const statesIn = async ({ documents }: Stage): Promise<JsonObject> => {
  const states: Record<string, JsonObject> = {}
  for (const collection of subjectsWithVersions)
    for (const { id, value } of await storedIn(documents, collection, 1))
      states[`${collection}/${id}`] = Object.fromEntries(
        Object.entries(value).filter(([attribute]) => !left.has(attribute)),
      )
  return states
}

describe('a rewind after random writes', function () {
  this.timeout(120_000)

  it('gives the states of its moment, and is undone by another one', () =>
    fc.assert(
      fc.asyncProperty(steps, fc.nat(), async (writes, chosen) => {
        const stage = await createStage()
        const run: RunOperation = (operation, input) =>
          stage.run(operation, { ...stage.as('admin'), requestId: 'r' }, input)
        for (const id of [1, 2, 3])
          await right(run(replaceObject(tag), { id: uuid(4, id), body: { last_name_or_title: `Tag ${id}` } }))
        const moments: { readonly time: number; readonly states: JsonObject }[] = []
        const note = async () => {
          stage.clock.advance(1000)
          moments.push({ time: stage.clock.now(), states: await statesIn(stage) })
          stage.clock.advance(1000)
        }
        await note()
        for (const each of writes) {
          await each.run(run)()
          await note()
        }
        for (const { time, states } of [moments[chosen % moments.length], moments.at(-1)].flatMap((each) =>
          each === undefined ? [] : [each],
        )) {
          const found = await right(run(listRewound, { to: time }))
          for await (const { faults } of rewindObjects(run, found, false)) expect(faults).to.deep.equal([])
          expect(await statesIn(stage)).to.deep.equal(states)
          for await (const { outcome } of rewindObjects(run, found, false))
            expect(outcome).to.equal('unchanged')
          stage.clock.advance(1000)
        }
      }),
      { numRuns: 60, interruptAfterTimeLimit: 60_000 },
    ))
})
