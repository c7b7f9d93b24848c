/**
 * Wrong values for every attribute that can be written, made from the tables (docs/behaviour/writing.md,
 * docs/behaviour/sections.md, docs/behaviour/files.md).
 */
import { sampleFrom, sampleTitle } from '@publishing-service/conformance'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { randomUUID } from 'node:crypto'
import {
  resources,
  segmentsOf,
  type Json,
  type JsonObject,
  type Resource,
  type StoredAttribute,
  type ValueType,
} from '@publishing-service/domain'
import { expectFaults, expectOk, rowsOf } from '../harness/expect-answer.js'
import type { Answer } from '../harness/http-client.js'
import { offers, requiredBody, tableOf, variantsOf, uniquely, writablesOf } from '../harness/valid-bodies.js'
import { sampleOf } from '../harness/value-arbitraries.js'
import { findDeadReferences, type DeadReferences } from './dead-references.js'
import { setStage, type Stage } from './stage.js'
import { wrongValuesOf, type WrongValue } from './wrong-values.js'

type Target = {
  readonly resource: Resource
  readonly variant: string | null
  readonly id: string
  body: JsonObject
}

/** How many attributes of each variant a run tries that is not whole. */
const sample = 5

describe('wrong values for attributes of resources', () => {
  let stage: Stage
  let deadReferences: DeadReferences
  before(async () => {
    stage = await setStage()
    deadReferences = await findDeadReferences(stage)
  })
  after(async () => {
    await stage.close()
  })

  const readPast = (target: Target): Promise<Answer> =>
    stage.home.admin.get(`/${segmentsOf(target.resource)}/${target.id}`, { 'Cache-Control': 'no-cache' })

  const without = (body: JsonObject, ...names: readonly string[]): JsonObject =>
    Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))

  /**
   * Sends a value in the three ways there are; each has to tell the same fault. What is wrong deeper within a
   * value is the value's own matter, and is sent one way.
   */
  const expectRefused = async (
    { resource, id, body }: Target,
    name: string,
    { value, path, why }: WrongValue,
    type: ValueType,
  ): Promise<void> => {
    const { admin } = stage.home
    const expected = path === '' ? name : `${name}.${path}`
    // The right parts beside the wrong one name objects that aren’t there, which is told along.
    const beside = path === '' ? [] : (type.references?.(value) ?? []).map((each) => `${name}.${each.path}`)
    const told = new Set([expected, ...beside])
    const object = `/${segmentsOf(resource)}/${id}`
    const ways = [
      ...(offers(resource, 'changeObject') ? [() => admin.patch(object, { [name]: value })] : []),
      () => admin.put(object, { ...body, [name]: value }),
      ...(offers(resource, 'createObject')
        ? [
            () =>
              admin.post(`/${segmentsOf(resource)}`, {
                ...uniquely(without(body, 'uuid'), randomUUID()),
                [name]: value,
              }),
          ]
        : []),
    ]
    const answers = []
    for (const send of path === '' ? ways : ways.slice(0, 1)) answers.push(await send())
    for (const answer of answers) {
      const info = expectFaults(answer, ...told)
      expect(info[expected], why).to.have.length.below(1500)
    }
  }

  for (const resource of resources) {
    for (const variant of variantsOf(resource)) {
      const title = variant === null ? resource.name : `${resource.name}, ${variant}`
      // What all variants share is tried on the first one.
      const isTried = (name: string): boolean => {
        const attribute = resource.attributes[name]
        return (
          variant === variantsOf(resource)[0] ||
          (attribute !== undefined && 'only' in attribute && attribute.only !== undefined)
        )
      }
      const tried = writablesOf(resource, variant).filter(([each]) => isTried(each))
      describe(`${title}${sampleTitle(sample, tried.length)}`, () => {
        const target: Target = { resource, variant, id: randomUUID(), body: {} }
        let untouched = ''
        before(async () => {
          const collection = segmentsOf(resource)
          expectOk(
            await stage.home.admin.put(
              `/${collection}/${target.id}`,
              requiredBody(resource, variant, target.id, stage.candidates),
            ),
          )
          const answer = expectOk(await readPast(target))
          untouched = answer.text
          target.body = answer.object
        })

        const count = async (): Promise<number> =>
          rowsOf(
            await stage.home.admin.get(`/${segmentsOf(resource)}?rpp=100`, { 'Cache-Control': 'no-cache' }),
          ).length

        for (const [name, attribute] of sampleFrom(tried, sample))
          it(name, async () => {
            const before_ = await count()
            // An alias is heard only where its newer attribute is silent.
            const silent = attribute.kind === 'alias' ? [attribute.instead] : []
            const spoken = { ...target, body: without(target.body, ...silent) }
            const dead = attribute.kind === 'stored' ? deadReferences(attribute.type) : []
            for (const each of [...wrongValuesOf(attribute.type), ...dead])
              await expectRefused(spoken, name, each, attribute.type)
            expect((await readPast(target)).text).to.equal(untouched)
            expect(await count()).to.equal(before_)
          })

        const required = writablesOf(resource, variant).flatMap(([name, attribute]) =>
          attribute.kind === 'stored' && attribute.required ? [name] : [],
        )
        if (required.length > 0)
          // docs/behaviour/writing.md#all-faults
          it('everything required that is missing is told together', async () => {
            const { admin } = stage.home
            const collection = segmentsOf(resource)
            const nulls = Object.fromEntries(required.map((name): [string, Json] => [name, null]))
            const kept = resource.variant === undefined ? {} : { [resource.variant]: variant }
            const missing = required.filter((name) => !(name in kept))
            // What can never change is kept by an object that has it.
            const replaceable = missing.filter((name) => {
              const attribute = resource.attributes[name]
              return attribute?.kind === 'stored' && !(attribute.fixed && attribute.retained)
            })
            const own = `/${collection}/${target.id}`
            expectFaults(await admin.put(own, kept), ...replaceable)
            expectFaults(await admin.put(own, { ...nulls, ...kept }), ...replaceable)
            // What a creation may leave out is made by the service.
            const notMade = missing.filter((name) => {
              const attribute = resource.attributes[name]
              return attribute?.kind === 'stored' && attribute.madeFrom === undefined
            })
            expectFaults(await admin.put(`/${collection}/${randomUUID()}`, kept), ...notMade)
            if (offers(resource, 'createObject'))
              expectFaults(await admin.post(`/${collection}`, kept), ...notMade)
            if (offers(resource, 'changeObject'))
              expectFaults(await admin.patch(`/${collection}/${target.id}`, nulls), ...required)
            expect((await readPast(target)).text).to.equal(untouched)
          })

        // docs/behaviour/writing.md#ignored
        it('read-only attributes are ignored, whatever they are sent', async () => {
          const { admin } = stage.home
          const writable = new Set(writablesOf(resource, variant).map(([name]) => name))
          const readOnly = Object.keys(tableOf(resource, variant)).filter(
            (name) => !writable.has(name) && name !== 'uuid',
          )
          for (const value of [null, 'x', 7, true, [], {}, [{}]]) {
            const noise = Object.fromEntries(readOnly.map((name): [string, Json] => [name, value]))
            if (offers(resource, 'changeObject'))
              expectOk(await admin.patch(`/${segmentsOf(resource)}/${target.id}`, noise))
            expectOk(await admin.put(`/${segmentsOf(resource)}/${target.id}`, { ...target.body, ...noise }))
          }
          expect((await readPast(target)).text).to.equal(untouched)
        })

        // docs/behaviour/writing.md#ignored
        it('a body uuid that is not the path’s is refused', async () => {
          const { admin } = stage.home
          const object = `/${segmentsOf(resource)}/${target.id}`
          for (const uuid of [randomUUID(), 'x', '', 7, true, [], {}]) {
            if (offers(resource, 'changeObject')) expectFaults(await admin.patch(object, { uuid }), 'uuid')
            expectFaults(await admin.put(object, { ...target.body, uuid }), 'uuid')
            if (offers(resource, 'createObject'))
              expectFaults(
                await admin.post(`/${segmentsOf(resource)}`, {
                  ...uniquely(target.body, randomUUID()),
                  uuid,
                }),
                'uuid',
              )
          }
          for (const uuid of [target.id, target.id.toUpperCase(), null])
            expectOk(await admin.put(object, { ...target.body, uuid }))
          expect((await readPast(target)).text).to.equal(untouched)
        })
      })
    }
  }

  const addonAttributes = ({ attributes }: Resource): readonly (readonly [string, StoredAttribute])[] =>
    Object.entries(attributes).flatMap(([name, attribute]) =>
      attribute.kind === 'stored' && attribute.addon && !attribute.internal
        ? [[name, attribute] as const]
        : [],
    )

  describe('on an instance without the directory add-on', () => {
    for (const resource of resources.filter((each) => addonAttributes(each).length > 0))
      for (const [name, { type, only, addon }] of addonAttributes(resource))
        it(`${resource.name}.${name}: bad_parameters, but for false and null, which change nothing`, async () => {
          const { admin } = stage.other
          const variant = only?.[0] ?? variantsOf(resource)[0] ?? null
          const id = randomUUID()
          const path = `/${segmentsOf(resource)}/${id}`
          expectOk(await admin.put(path, requiredBody(resource, variant, id)))
          const untouched = expectOk(await admin.get(path))
          if (addon === 'written') expect(untouched.object[name]).to.equal(null)
          else expect(untouched.object).not.to.have.property(name)
          const isBoolean = type.schema.type === 'boolean'
          const image = type.references === undefined ? null : stage.imageElsewhere
          const value = isBoolean ? true : (image ?? sampleOf(type.schema))
          expectFaults(await admin.patch(path, { [name]: value }), name)
          expectFaults(await admin.put(path, { ...untouched.object, [name]: value }), name)
          for (const quiet of isBoolean ? [false, null] : [null]) {
            expectOk(await admin.patch(path, { [name]: quiet }))
            expectOk(await admin.put(path, { ...untouched.object, [name]: quiet }))
          }
          expect((await admin.get(path, { 'Cache-Control': 'no-cache' })).text).to.equal(untouched.text)
        })
  })
})
