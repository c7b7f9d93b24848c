import { expect } from 'chai'
import { describe, it } from 'mocha'
import { resources, type Resource } from '@publishing-service/domain'
import type { AttributeTable } from '@publishing-service/domain/declare'
import { importAttributes, importKinds, importOptions } from '@publishing-service/domain/imports'
import { settingsAttributes } from '@publishing-service/domain/roles'
import { describeModel, describeResource } from './describe-model.js'
import type { Field, Value } from './model.js'

const model = describeModel()

const writable = (table: AttributeTable): readonly string[] =>
  Object.entries(table).flatMap(([name, attribute]) =>
    attribute.kind === 'stored' &&
    attribute.internal !== true &&
    attribute.readOnly !== true &&
    attribute.deprecated === undefined &&
    attribute.undrafted !== true
      ? [name]
      : [],
  )

const namesOf = (fields: readonly Field[]): readonly string[] => fields.map(({ name }) => name)

const fieldOf = (collection: string, name: string): Field => {
  const found = model.resources
    .find((each) => each.collection === collection)
    ?.fields.find((each) => each.name === name)
  if (found === undefined) throw new Error(`no field ${collection}.${name}`)
  return found
}

const resourceNamed = (collection: string): Resource => {
  const found = resources.find((each) => each.collection === collection)
  if (found === undefined) throw new Error(`no resource ${collection}`)
  return found
}

const itemFields = (value: Value): readonly Field[] =>
  value.kind === 'list' && value.item.kind === 'object' ? value.item.fields : []

describe('describeModel', () => {
  for (const { collection, attributes } of resources)
    it(`has a field for each attribute of ${collection} that is edited`, () => {
      const fields = model.resources.find((each) => each.collection === collection)?.fields ?? []
      expect(namesOf(fields)).to.deep.equal(writable(attributes))
    })

  it('knows how objects become public', () => {
    expect(
      Object.fromEntries(model.resources.map(({ collection, publication }) => [collection, publication])),
    ).to.include({
      content: 'scheduled',
      locations: 'immediate',
      comments: 'dependent',
      tags: 'none',
      blogs: 'none',
    })
  })

  it('has a field for each setting', () => {
    expect(namesOf(model.settings)).to.deep.equal(writable(settingsAttributes))
  })

  it('shows an attribute that is added to a table', () => {
    const blogs = resourceNamed('blogs')
    const { title } = blogs.attributes
    if (title === undefined) throw new Error('blogs have no title')
    const { fields } = describeResource({ ...blogs, attributes: { ...blogs.attributes, motto: title } })
    const motto = fields.find(({ name }) => name === 'motto')
    expect(motto?.value).to.deep.equal(fieldOf('blogs', 'title').value)
  })

  it('has kinds of values: texts, choices, markup, dates, numbers', () => {
    expect(fieldOf('content', 'content_type')).to.deep.include({ isRequired: true, isFixed: true })
    expect(fieldOf('content', 'content_type').value.kind).to.equal('choice')
    expect(fieldOf('content', 'content').value).to.include({ kind: 'markup', hasSlots: true })
    expect(fieldOf('locations', 'content').value).to.include({ kind: 'markup', hasSlots: false })
    expect(fieldOf('content', 'dtstart').value.kind).to.equal('date-time')
    expect(fieldOf('content', 'book_issued').value.kind).to.equal('date')
    expect(fieldOf('content', 'movie_duration').value.kind).to.equal('number')
    expect(fieldOf('locations', 'coords').value.kind).to.equal('coordinates')
    expect(fieldOf('content', 'rrule').value.kind).to.equal('recurrence')
    expect(fieldOf('content', 'description').value).to.include({ kind: 'text', isLong: true })
  })

  it('finds references, also inside lists', () => {
    expect(fieldOf('sections', 'parent_uuid').value).to.deep.equal({
      kind: 'reference',
      collection: 'sections',
    })
    expect(fieldOf('sections', 'feature_image_uuid').value).to.deep.equal({
      kind: 'reference',
      collection: 'files',
      media: 'image',
    })
    const locations = itemFields(fieldOf('content', 'roundup_locations').value)
    expect(locations.find(({ name }) => name === 'location_uuid')?.value).to.deep.equal({
      kind: 'reference',
      collection: 'locations',
    })
  })

  it('has what an import is begun with, and the options of each kind', () => {
    const { fields, options } = model.imports
    expect(namesOf(fields)).to.deep.equal(writable(importAttributes).filter((name) => name !== 'options'))
    expect(fields.find(({ name }) => name === 'file_uuid')?.value).to.deep.equal({
      kind: 'reference',
      collection: 'files',
    })
    const kinds = fields.find(({ name }) => name === 'kind')?.value
    expect(kinds).to.deep.equal({ kind: 'choice', options: [...importKinds] })
    for (const kind of importKinds)
      expect(namesOf(options[kind] ?? []), kind).to.deep.equal(Object.keys(importOptions[kind]))
    const ghost = options['ghost'] ?? []
    expect(ghost.filter(({ isRequired }) => isRequired).map(({ name }) => name)).to.deep.equal(['site'])
    const mapping = options['csv']?.find(({ name }) => name === 'mapping')?.value
    const columns =
      mapping?.kind === 'object' ? mapping.fields.find(({ name }) => name === 'columns') : undefined
    expect(columns?.value).to.deep.equal({ kind: 'pairs' })
    expect(model.openJobStates).to.deep.equal(['waiting', 'running'])
  })

  it('groups three or more fields with a common beginning', () => {
    expect(fieldOf('locations', 'coupon_title').group).to.equal('coupon')
    expect(fieldOf('sections', 'meta_title').group).to.equal('meta')
    expect(fieldOf('blogs', 'title').group).to.equal(undefined)
  })

  it('has the filters of lists with their values', () => {
    const filters = model.resources.find(({ collection }) => collection === 'content')?.filters ?? []
    const kinds = Object.fromEntries(filters.map(({ name, value }) => [name, value.kind]))
    expect(kinds).to.include({ state: 'choices', sections: 'references', issued: 'period', q: 'text' })
  })
})
