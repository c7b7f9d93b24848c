/**
 * Invalid values for every writable attribute, derived from the attribute tables (docs/behaviour/writing.md,
 * docs/behaviour/sections.md, docs/behaviour/files.md).
 */
import { sampleFrom, sampleTitle } from '@publishing-service/conformance'
import { expect } from 'chai'
import { before, describe, it } from 'mocha'
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
import { expectFaults, expectOk, rowsOf } from '../harness/expect-response.js'
import type { ApiResponse } from '../harness/http-client.js'
import { offers, requiredBody, tableOf, variantsOf, uniquely, writablesOf } from '../harness/valid-bodies.js'
import { sampleOf } from '../harness/value-arbitraries.js'
import { prepareInvalidReferences, type InvalidReferences } from './invalid-references.js'
import { useFixture, type Fixture } from './service-fixture.js'
import { invalidValuesOfType, type InvalidValue } from './invalid-values.js'

type Target = {
  readonly resource: Resource
  readonly variant: string | null
  readonly id: string
  body: JsonObject
}

/** The number of attributes of each variant that a sampled run tests. */
const sample = 3

describe('invalid values of resource attributes', () => {
  let fixture: Fixture
  let invalidReferences: InvalidReferences
  useFixture(async (started) => {
    fixture = started
    invalidReferences = await prepareInvalidReferences(fixture)
  })

  const readUncached = (target: Target): Promise<ApiResponse> =>
    fixture.home.admin.get(`/${segmentsOf(target.resource)}/${target.id}`, { 'Cache-Control': 'no-cache' })

  const without = (body: JsonObject, ...names: readonly string[]): JsonObject =>
    Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))

  /**
   * Sends a value by PATCH, PUT and POST. Each must report the same fault. A value with a fault below its root is
   * sent by one method only.
   */
  const expectRejected = async (
    { resource, id, body }: Target,
    name: string,
    { value, path, why }: InvalidValue,
    type: ValueType,
  ): Promise<void> => {
    const { admin } = fixture.home
    const expected = path === '' ? name : `${name}.${path}`
    // References in the valid parts of the value name objects that do not exist. They are reported too.
    const otherPaths =
      path === '' ? [] : (type.references?.(value) ?? []).map((each) => `${name}.${each.path}`)
    const expectedPaths = new Set([expected, ...otherPaths])
    const object = `/${segmentsOf(resource)}/${id}`
    const requests = [
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
    const responses = []
    for (const send of path === '' ? requests : requests.slice(0, 1)) responses.push(await send())
    for (const response of responses) {
      const info = expectFaults(response, ...expectedPaths)
      expect(info[expected], why).to.have.length.below(1500)
    }
  }

  for (const resource of resources) {
    for (const variant of variantsOf(resource)) {
      const title = variant === null ? resource.name : `${resource.name}, ${variant}`
      // Attributes that all variants share are tested with the first variant.
      const isTested = (name: string): boolean => {
        const attribute = resource.attributes[name]
        return (
          variant === variantsOf(resource)[0] ||
          (attribute !== undefined && 'only' in attribute && attribute.only !== undefined)
        )
      }
      const tested = writablesOf(resource, variant).filter(([each]) => isTested(each))
      describe(`${title}${sampleTitle(sample, tested.length)}`, () => {
        const target: Target = { resource, variant, id: randomUUID(), body: {} }
        let initial = ''
        before(async () => {
          const collection = segmentsOf(resource)
          expectOk(
            await fixture.home.admin.put(
              `/${collection}/${target.id}`,
              requiredBody(resource, variant, target.id, fixture.candidates),
            ),
          )
          const response = expectOk(await readUncached(target))
          initial = response.text
          target.body = response.object
        })

        const count = async (): Promise<number> =>
          rowsOf(
            await fixture.home.admin.get(`/${segmentsOf(resource)}?rpp=100`, { 'Cache-Control': 'no-cache' }),
          ).length

        for (const [name, attribute] of sampleFrom(tested, sample))
          it(name, async () => {
            const before_ = await count()
            // An alias is read only if its newer attribute is absent.
            const replacedByAlias = attribute.kind === 'alias' ? [attribute.instead] : []
            const aliasTarget = { ...target, body: without(target.body, ...replacedByAlias) }
            const badReferences = attribute.kind === 'stored' ? invalidReferences(attribute.type) : []
            for (const each of [...invalidValuesOfType(attribute.type), ...badReferences])
              await expectRejected(aliasTarget, name, each, attribute.type)
            expect((await readUncached(target)).text).to.equal(initial)
            expect(await count()).to.equal(before_)
          })

        const required = writablesOf(resource, variant).flatMap(([name, attribute]) =>
          attribute.kind === 'stored' && attribute.required ? [name] : [],
        )
        if (required.length > 0)
          // docs/behaviour/writing.md#all-faults
          it('reports all missing required attributes together', async () => {
            const { admin } = fixture.home
            const collection = segmentsOf(resource)
            const nulls = Object.fromEntries(required.map((name): [string, Json] => [name, null]))
            const unchanged = resource.variant === undefined ? {} : { [resource.variant]: variant }
            const missing = required.filter((name) => !(name in unchanged))
            // PUT keeps an immutable value that the object already has.
            const replaceable = missing.filter((name) => {
              const attribute = resource.attributes[name]
              return attribute?.kind === 'stored' && !(attribute.fixed && attribute.retained)
            })
            const object = `/${collection}/${target.id}`
            expectFaults(await admin.put(object, unchanged), ...replaceable)
            expectFaults(await admin.put(object, { ...nulls, ...unchanged }), ...replaceable)
            // The service generates some attributes that a creation omits.
            const notGenerated = missing.filter((name) => {
              const attribute = resource.attributes[name]
              return attribute?.kind === 'stored' && attribute.madeFrom === undefined
            })
            expectFaults(await admin.put(`/${collection}/${randomUUID()}`, unchanged), ...notGenerated)
            if (offers(resource, 'createObject'))
              expectFaults(await admin.post(`/${collection}`, unchanged), ...notGenerated)
            if (offers(resource, 'changeObject'))
              expectFaults(await admin.patch(`/${collection}/${target.id}`, nulls), ...required)
            expect((await readUncached(target)).text).to.equal(initial)
          })

        // docs/behaviour/writing.md#ignored
        it('ignores read-only attributes', async () => {
          const { admin } = fixture.home
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
          expect((await readUncached(target)).text).to.equal(initial)
        })

        // docs/behaviour/writing.md#ignored
        it('rejects a body uuid that differs from the path', async () => {
          const { admin } = fixture.home
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
          expect((await readUncached(target)).text).to.equal(initial)
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
        it(`${resource.name}.${name}: returns bad_parameters except for false and null, which change nothing`, async () => {
          const { admin } = fixture.other
          const variant = only?.[0] ?? variantsOf(resource)[0] ?? null
          const id = randomUUID()
          const path = `/${segmentsOf(resource)}/${id}`
          expectOk(await admin.put(path, requiredBody(resource, variant, id)))
          const initial = expectOk(await admin.get(path))
          if (addon === 'written') expect(initial.object[name]).to.equal(null)
          else expect(initial.object).not.to.have.property(name)
          const isBoolean = type.schema.type === 'boolean'
          const image = type.references === undefined ? null : fixture.imageElsewhere
          const value = isBoolean ? true : (image ?? sampleOf(type.schema))
          expectFaults(await admin.patch(path, { [name]: value }), name)
          expectFaults(await admin.put(path, { ...initial.object, [name]: value }), name)
          for (const empty of isBoolean ? [false, null] : [null]) {
            expectOk(await admin.patch(path, { [name]: empty }))
            expectOk(await admin.put(path, { ...initial.object, [name]: empty }))
          }
          expect((await admin.get(path, { 'Cache-Control': 'no-cache' })).text).to.equal(initial.text)
        })
  })
})
