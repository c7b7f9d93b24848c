/** The declarations themselves: every name that a rule, filter, order or document uses is there, and described. */
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { E } from '../fp.js'
import type { JsonObject } from '../json.js'
import { roleNeeded } from '../role/permissions.js'
import { kindsOf, stateOf } from '../testing/arbitraries.js'
import { command, stateAfter, viewer, whateverIsReferredTo, write } from '../testing/index.js'
import type { Schema } from '../value/schema.js'
import { parseUuid } from '../value/text.js'
import { matchesFilter } from './filter.js'
import type { WriteMode } from './draft-attributes.js'
import { fieldsOf, parseCollectionQuery } from './collection-query.js'
import { resourceOf, resources } from './resources.js'
import { attributesOf } from './attribute-tables.js'
import { withComputed } from './with-computed.js'

const isWhole = (schema: Schema): boolean =>
  schema.type !== undefined &&
  (schema.items === undefined || isWhole(schema.items)) &&
  Object.values(schema.properties ?? {}).every(isWhole)

describe('resources', () => {
  it('have unique names, by which they are found', () => {
    expect(new Set(resources.map(({ name }) => name)).size).to.equal(resources.length)
    for (const resource of resources) expect(resourceOf(resource.collection)).to.equal(resource)
    expect(resourceOf('nope')).to.equal(undefined)
  })

  for (const resource of resources)
    describe(resource.collection, () => {
      const { attributes } = resource
      const isKey = (name: string): boolean => {
        const attribute = attributes[name]
        return (
          attribute?.kind === 'computed' || (attribute?.kind === 'stored' && attribute.type.key !== undefined)
        )
      }

      it('has orders, filters, visibility and indexes by keys that it stores', () => {
        const keys = [
          ...Object.values(resource.orders),
          ...Object.values(resource.filters).flatMap((filter) => filter.keys),
          ...(resource.subcollections ?? []).flatMap(({ where, orders, filters }) => [
            ...where.flatMap((filter) => ('key' in filter ? [filter.key] : [])),
            ...Object.values(orders),
            ...Object.values(filters).flatMap((filter) => filter.keys),
          ]),
          ...resource.indexes.flat(),
          ...(resource.shownToPublic?.keys ?? []),
          ...(resource.shownToPublic?.times ?? []),
          ...(resource.groupCounts ?? []).flatMap(({ key, within }) => [key, ...within]),
        ]
        expect(keys.filter((key) => !isKey(key))).to.deep.equal([])
      })

      it('has filters that select its subcollections', () => {
        for (const { selectedBy, where } of resource.subcollections ?? []) {
          const sent = { [selectedBy.filter]: selectedBy.value }
          const parsed = parseCollectionQuery(resource, sent, viewer('reader'), false)
          if (E.isLeft(parsed)) return expect.fail('is no value of a filter')
          for (const { variant } of kindsOf(resource))
            fc.assert(
              fc.property(stateOf(resource, variant), (state) => {
                expect(parsed.right.where.every((each) => matchesFilter(each, state))).to.equal(
                  where.every((each) => matchesFilter(each, state)),
                )
              }),
              { numRuns: 5 },
            )
        }
      })

      it('describes each attribute in a sentence and a whole schema', () => {
        for (const [name, attribute] of Object.entries(attributes)) {
          expect(attribute.description, name).to.match(/^[A-ZÄÖÜ].*\.$/)
          if (attribute.kind === 'stored' || attribute.kind === 'alias')
            expect(isWhole(attribute.type.schema), name).to.equal(true)
        }
      })

      it('derives and aliases from attributes that it stores', () => {
        for (const [name, attribute] of Object.entries(attributes)) {
          const sources =
            attribute.kind === 'derived'
              ? attribute.needs
              : attribute.kind === 'alias'
                ? [attribute.instead]
                : []
          for (const source of sources) expect(attributes[source]?.kind, name).to.equal('stored')
        }
      })

      it('has defaults that their types accept', () => {
        for (const [name, attribute] of Object.entries(attributes)) {
          if (attribute.kind !== 'stored' || attribute.initial === undefined) continue
          const context = { zone: 'UTC', streamingHosts: [], strict: true }
          expect(attribute.type.decode(attribute.initial, context), name).to.deep.include({
            right: attribute.initial,
          })
        }
      })

      it('has all required attributes in each variant, and a fixed variant attribute', () => {
        for (const { variant } of kindsOf(resource)) {
          const table = attributesOf(
            resource,
            resource.variant === undefined ? {} : { [resource.variant]: variant },
          )
          expect(Object.keys(table)).to.include.members(['uuid', 'url'])
        }
        const telling = resource.variant === undefined ? undefined : attributes[resource.variant]
        if (telling !== undefined) expect(telling).to.include({ kind: 'stored', fixed: true, required: true })
        for (const attribute of Object.values(attributes))
          if (attribute.kind !== 'computed' && attribute.only !== undefined)
            expect(kindsOf(resource).map(({ variant }) => variant)).to.include.members([...attribute.only])
      })

      it('maps other names of fields to attributes', () => {
        for (const [name, attribute] of Object.entries(attributes)) {
          if (attribute.kind !== 'stored' || attribute.fieldAlias === undefined) continue
          const alias = attribute.fieldAlias
          expect(attributes[alias], alias).to.equal(undefined)
          expect(fieldsOf(resource).get(alias)).to.equal(name)
        }
      })

      it('has dependences with keys of existing collections', () => {
        for (const { collection, key } of resource.dependences ?? [])
          expect(resourceOf(collection)?.attributes[key]?.kind, `${collection}.${key}`).to.equal('stored')
      })

      it('has distinct objects for words, with states that it could store', () => {
        const words = Object.entries(resource.given?.words ?? {})
        expect(new Set(words.map(([, { id }]) => id)).size).to.equal(words.length)
        for (const [word, { id, initial }] of words) {
          expect(parseUuid(word), word).to.equal(null)
          expect(parseUuid(id), word).to.equal(id)
          const { state } = write(resource, command('put', initial, null))
          expect(initial, word).to.deep.equal(state)
        }
      })

      it('computes its paths from attributes that it stores, and stores the earlier ones', () => {
        if (resource.path === undefined) {
          expect(attributes['old_paths']).to.equal(undefined)
          return expect(resource.indexes).not.to.deep.include(['past_paths'])
        }
        expect(resource.indexes).to.deep.include(['past_paths'])
        expect(attributes['past_paths']?.kind).to.equal('computed')
        for (const name of ['urlname', 'old_paths', 'hidden_paths', resource.path.section ?? 'urlname'])
          expect(attributes[name]?.kind, name).to.equal('stored')
        expect(resource.path.prefix).to.match(/^\/(?:[a-z]+\/)?$/)
      })

      it('hides attributes that only rules write', () => {
        for (const name of ['taggings', 'members', 'listing_images', 'old_paths', 'hidden_paths', 'slots'])
          if (attributes[name] !== undefined) expect(attributes[name], name).to.include({ internal: true })
      })

      it('accepts its examples', () => {
        const { bodies = [], change = {} } = resource.examples ?? {}
        const stateOnce = (mode: WriteMode, input: JsonObject, previous: JsonObject | null) =>
          stateAfter(resource, command(mode, input, previous, { strict: true }), {
            objects: whateverIsReferredTo,
          })
        for (const [index, body] of bodies.entries())
          stateOnce('patch', index === 0 ? change : {}, stateOnce('put', body, null))
      })

      it('has permissions for reading, creation, changes and deletion', () => {
        for (const action of ['read', 'create', 'update', 'remove'] as const)
          expect(roleNeeded(resource.collection, action), action).not.to.equal(null)
      })
    })

  for (const resource of resources)
    for (const { name, variant } of kindsOf(resource))
      it(`${resource.collection}: ${name} has computed attributes that change only with what they read`, () => {
        fc.assert(
          fc.property(
            stateOf(resource, variant),
            stateOf(resource, variant),
            fc.integer({ min: 1 }),
            (before, other, seed) => {
              const previous = withComputed(resource, before)
              const names = Object.keys(before)
              const changed = names.filter((_name, index) => (seed * (index + 7)) % 5 < 2)
              const after = {
                ...before,
                ...Object.fromEntries(changed.map((each) => [each, other[each] ?? null])),
              }
              expect(withComputed(resource, after, previous)).to.deep.equal(withComputed(resource, after))
            },
          ),
          { numRuns: 50 },
        )
      })

  it('refer to existing collections', () => {
    for (const resource of resources)
      for (const attribute of Object.values(resource.attributes))
        for (const target of attribute.kind === 'stored' ? (attribute.type.targets ?? []) : [])
          expect(resourceOf(target), target).not.to.equal(undefined)
  })
})
