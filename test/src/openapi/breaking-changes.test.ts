/**
 * Detects changes of the API that break clients, and checks that CHANGELOG.md lists each one since the last
 * release.
 */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { readFileSync } from 'node:fs'
import { isJsonObject, type Json, type JsonObject } from '@publishing-service/domain/json'
import { openApiDocument } from '@publishing-service/http-contract/openapi'
import { root } from '../documentation/documents.js'
import { lastRelease, listingFaults, unreleasedNotes } from '../release/changelog.js'
import { breakingChanges, knownKeywords } from './breaking-changes.js'

const current = openApiDocument()

type Editable = { [name: string]: Editable } & { splice: unknown[]['splice'] }

/** The document with one change. */
const changed = (change: (document: Editable) => void): JsonObject => {
  const copy = structuredClone(current) as unknown as Editable
  change(copy)
  return copy
}

const schemaIn = (document: Editable, name: string): Editable =>
  document['components']?.['schemas']?.[name] as Editable

const set = (part: Editable | undefined, name: string, value: Json | undefined): void => {
  if (part === undefined) throw new Error(`nullType has ${name}`)
  if (value === undefined) delete part[name]
  else part[name] = value as unknown as Editable
}

const operation = (document: Editable, path: string, method: string): Editable =>
  document['paths']?.[path]?.[method] as Editable

describe('changes that break clients', () => {
  const changesOf = (change: (document: Editable) => void): readonly string[] =>
    breakingChanges(current, changed(change))

  it('are none without a change', () => {
    expect(breakingChanges(current, current)).to.deep.equal([])
  })

  it('do not include a wider format or variants that are no longer required', () => {
    const changes = (before: (document: Editable) => void, after: (document: Editable) => void) =>
      breakingChanges(changed(before), changed(after))
    const title = (format: string) => (document: Editable) =>
      set(schemaIn(document, 'SectionInput')['properties']?.['title'], 'format', format)
    expect(changes(title('markup'), title('markup-or-text'))).to.deep.equal([])
    expect(changes(title('markup-or-text'), title('markup'))).to.have.lengthOf(1)
    const clients = (list: Json | undefined) => (document: Editable) =>
      set(schemaIn(document, 'SectionInput'), 'anyOf', list)
    expect(changes(clients([{ required: ['urlname'] }]), clients(undefined))).to.deep.equal([])
  })

  it('include removed operations, parameters and attributes', () => {
    expect(changesOf((document) => set(document['paths'], '/{iid}/tag_cloud', undefined))).to.deep.equal([
      'readTagCloud: is removed',
    ])
    expect(
      changesOf((document) => set(schemaIn(document, 'ContentArticle')['properties'], 'kicker', undefined)),
    ).to.deep.equal(['ContentArticle.kicker: is removed'])
    expect(
      changesOf((document) => set(schemaIn(document, 'SectionInput')['properties'], 'ord', undefined)),
    ).to.deep.equal(['SectionInput.ord: is removed'])
    expect(
      changesOf((document) => {
        const list = operation(document, '/{iid}/tag_cloud', 'get')['parameters'] as Editable
        list.splice(1, 1)
      }),
    ).to.have.lengthOf(1)
  })

  it('include stricter requirements for requests', () => {
    const required = (document: Editable) =>
      set(schemaIn(document, 'SectionInput'), 'required', ['title', 'ord'])
    expect(changesOf(required)).to.deep.equal(['SectionInput.ord: is required'])
    const shorter = (document: Editable) =>
      set(schemaIn(document, 'SectionInput')['properties']?.['meta_keywords'], 'maxLength', 100)
    expect(changesOf(shorter)).to.deep.equal(['SectionInput.meta_keywords: maxLength is 100'])
    const notNull = (document: Editable) =>
      set(schemaIn(document, 'SectionInput')['properties']?.['meta_keywords'], 'type', 'string')
    expect(changesOf(notNull)).to.deep.equal(['SectionInput.meta_keywords: null is no longer accepted'])
    const union = (schemas: Json) => (document: Editable) =>
      set(schemaIn(document, 'SectionInput')['properties'], 'meta_keywords', { anyOf: schemas })
    const [text, nullType] = [{ type: 'string', format: 'text' }, { type: 'null' }]
    expect(changesOf(union([{ ...text, maxLength: 9 }, nullType]))).to.deep.equal([
      'SectionInput.meta_keywords: maxLength is 9',
    ])
    expect(changesOf(union([text]))).to.deep.equal(['SectionInput.meta_keywords: null is no longer accepted'])
    const fewer = (document: Editable) =>
      set(schemaIn(document, 'TagInput')['properties']?.['type'], 'enum', ['default', null])
    expect(changesOf(fewer)).to.deep.equal(['TagInput.type: person is no longer accepted'])
    const clients = (document: Editable) =>
      set(schemaIn(document, 'SectionInput'), 'anyOf', [{ required: ['urlname'] }])
    expect(changesOf(clients)).to.deep.equal(['SectionInput: anyOf is required'])
    const stronger = (document: Editable) =>
      set(operation(document, '/{iid}/sections', 'get'), 'security', [{ oauth: ['admin'] }])
    expect(changesOf(stronger)).to.deep.equal(['listSections: needs the role admin'])
  })

  it('include new kinds of responses', () => {
    const nullable = (document: Editable) =>
      set(schemaIn(document, 'Section')['properties']?.['title'], 'type', ['string', 'null'])
    expect(changesOf(nullable)).to.deep.equal(['Section.title: null may be returned'])
    const absent = (document: Editable) => set(schemaIn(document, 'Section'), 'required', ['uuid'])
    expect(changesOf(absent)).to.include('Section.title: may be absent')
    const more = (document: Editable) =>
      set(schemaIn(document, 'Tag')['properties']?.['type'], 'enum', ['default', 'person', 'band'])
    expect(changesOf(more)).to.deep.equal(['Tag.type: band may be returned'])
    const created = (document: Editable) =>
      set(operation(document, '/{iid}/sections', 'post')['responses'], '201', { description: 'Made.' })
    expect(changesOf(created)).to.deep.equal(['createSection 201: may be returned'])
    const renamed = (document: Editable) =>
      set(operation(document, '/{iid}/sections', 'get'), 'operationId', 'getSections')
    expect(changesOf(renamed)).to.deep.equal(['listSections: is called getSections'])
  })

  it('do not include optional additions', () => {
    const added = { type: 'string', description: 'New.' }
    for (const name of ['Section', 'SectionInput', 'SectionChange'])
      expect(
        changesOf((document) => set(schemaIn(document, name)['properties'], 'byline', added)),
        name,
      ).to.deep.equal([])
    const longer = (document: Editable) =>
      set(schemaIn(document, 'SectionInput')['properties']?.['meta_keywords'], 'maxLength', 10_000)
    expect(changesOf(longer)).to.deep.equal([])
    const union = (document: Editable) =>
      set(schemaIn(document, 'SectionInput')['properties'], 'meta_keywords', {
        anyOf: [{ type: 'string', format: 'text' }, { anyOf: [{ type: 'integer' }, { type: 'null' }] }],
      })
    expect(changesOf(union)).to.deep.equal([])
    const weaker = (document: Editable) =>
      set(operation(document, '/{iid}/sections', 'post'), 'security', [{ oauth: ['editor'] }])
    expect(changesOf(weaker)).to.deep.equal([])
    expect(
      changesOf((document) => set(document['paths'], '/{iid}/new', { get: { operationId: 'readNew' } })),
    ).to.deep.equal([])
  })
})

describe('the comparison of schemas', () => {
  it('supports every keyword of the document', () => {
    const unknown = new Set<string>()
    const walk = (schema: Json | undefined): void => {
      if (!isJsonObject(schema)) return
      for (const name of Object.keys(schema)) if (!knownKeywords.has(name)) unknown.add(name)
      const { properties, items, additionalProperties, oneOf, anyOf, prefixItems } = schema
      for (const part of Object.values(isJsonObject(properties) ? properties : {})) walk(part)
      for (const part of [oneOf, anyOf, prefixItems].flatMap((list) => (Array.isArray(list) ? list : [])))
        walk(part as Json)
      walk(items)
      walk(additionalProperties)
    }
    const { schemas } = current['components'] as { readonly schemas: JsonObject }
    expect(Object.keys(schemas)).to.have.length.above(100)
    Object.values(schemas).forEach(walk)
    expect([...unknown]).to.deep.equal([])
  })
})

describe('the version of the document', () => {
  it('is that of the packages', () => {
    const manifest: unknown = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
    expect(manifest).to.have.property('version', (current['info'] as JsonObject)['version'])
  })
})

describe('CHANGELOG.md', () => {
  const text = readFileSync(`${root}CHANGELOG.md`, 'utf8')
  const release = lastRelease(text) ?? ''

  const released = (): JsonObject => {
    const document: unknown = JSON.parse(readFileSync(`${root}docs/api/openapi-${release}.json`, 'utf8'))
    if (!isJsonObject(document)) throw new Error('no document')
    return document
  }

  it('names a release whose document is stored', () => {
    expect(released()).to.have.nested.property('info.version', release)
  })

  it('lists exactly the breaking changes since the release, as `- Breaking: `…`` above it', () => {
    const changes = breakingChanges(released(), current)
    expect(listingFaults(unreleasedNotes(text), changes)).to.deep.equal([])
  })
})
