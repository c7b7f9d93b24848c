/** The declarations themselves: every name that a rule, filter, order or document uses is there, and described. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { roleNeeded } from '../role/permissions.js'
import type { Schema } from '../value/schema.js'
import { kindsOf } from './attribute-table.arbitrary.js'
import { fieldsOf } from './collection-query.js'
import { resourceOf, resources } from './resources.js'
import { attributesOf } from './variant.js'
import { targetsOf } from './view.js'

const isWhole = (schema: Schema): boolean =>
  schema.type !== undefined &&
  (schema.items === undefined || isWhole(schema.items)) &&
  Object.values(schema.properties ?? {}).every(isWhole)

describe('resources', () => {
  it('have names of their own, under which they are found', () => {
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

      it('orders, filters, sees and indexes by keys that it stores', () => {
        const keys = [
          ...Object.values(resource.orders),
          ...Object.values(resource.filters).flatMap((filter) => filter.keys),
          ...resource.indexes.flat(),
          ...(resource.restrictedBy ?? []),
        ]
        expect(keys.filter((key) => !isKey(key))).to.deep.equal([])
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

      it('has a default that its own type takes', () => {
        for (const [name, attribute] of Object.entries(attributes)) {
          if (attribute.kind !== 'stored' || attribute.initial === undefined) continue
          const context = { zone: 'UTC', streamingHosts: [], strict: true }
          expect(attribute.type.decode(attribute.initial, context), name).to.deep.include({
            right: attribute.initial,
          })
        }
      })

      it('gives each variant what it needs, and fixes what tells them apart', () => {
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

      it('names the attributes behind other names of fields', () => {
        for (const [alias, name] of Object.entries(resource.fieldAliases ?? {})) {
          expect(attributes[alias], alias).to.equal(undefined)
          expect(fieldsOf(resource).get(alias)).to.equal(name)
        }
      })

      it('is kept from deletion by keys of collections that there are', () => {
        for (const { collection, key } of resource.blockers ?? [])
          expect(resourceOf(collection)?.attributes[key]?.kind, `${collection}.${key}`).to.equal('stored')
      })

      it('says who may read, make, change and remove it', () => {
        for (const action of ['read', 'create', 'update', 'remove'] as const)
          expect(roleNeeded(resource.collection, action)).not.to.equal(null)
      })
    })

  it('refer to collections by their names', () => {
    const later = new Set(['locations', 'blogs', 'tags'])
    for (const resource of resources)
      for (const target of targetsOf(resource))
        if (!later.has(target)) expect(resourceOf(target), target).not.to.equal(undefined)
  })
})
