/** The document is valid OpenAPI 3.1, complete, described in all parts, and has true examples. */
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { isJsonObject, type Json, type JsonObject } from '@publishing-service/domain/json'
import { formats } from '@publishing-service/domain/declare'
import { permissions, roles } from '@publishing-service/domain/roles'
import { endpoints } from '../endpoints.js'
import { openApiDocument } from './document.js'

const document = openApiDocument()

const endpointsById = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]))

/** The least role that may, as the table of permissions has it. */
const permissionOf = ({ subject, action }: { readonly subject: string; readonly action: string }) => {
  const table: Readonly<Record<string, Readonly<Record<string, string>>>> = permissions
  return table[subject]?.[action]
}

type Visit = (part: JsonObject, path: readonly string[]) => void

/** Every object of a part, from the outside in; values of examples aren't parts. */
const walk = (part: Json, visit: Visit, path: readonly string[] = []): void => {
  if (Array.isArray(part)) part.forEach((each: Json, index) => walk(each, visit, [...path, String(index)]))
  if (!isJsonObject(part)) return
  visit(part, path)
  for (const [name, each] of Object.entries(part))
    if (!isProperties(path) ? !['example', 'examples', 'default', 'enum'].includes(name) : true)
      walk(each, visit, [...path, name])
}

/** Whether the names below a path are of attributes rather than of OpenAPI. */
const isProperties = (path: readonly string[]): boolean => path.at(-1) === 'properties'

const at = (...names: readonly string[]): JsonObject => {
  let part: Json = document
  for (const name of names) part = isJsonObject(part) ? (part[name] ?? null) : null
  if (!isJsonObject(part)) throw new Error(`nothing at ${names.join('/')}`)
  return part
}

const references = (): readonly string[] => {
  const found: string[] = []
  walk(document, (part, path) => {
    if (typeof part['$ref'] === 'string' && !isProperties(path)) found.push(part['$ref'])
  })
  return found
}

type Operation = { readonly path: string; readonly method: string; readonly operation: JsonObject }

const operations: readonly Operation[] = Object.entries(at('paths')).flatMap(([path, item]) =>
  Object.entries(item as JsonObject).map(([method, operation]) => ({
    path,
    method,
    operation: operation as JsonObject,
  })),
)

const list = (value: Json | undefined): readonly JsonObject[] => (Array.isArray(value) ? value : [])

const resolved = (part: JsonObject): JsonObject =>
  typeof part['$ref'] === 'string' ? at(...part['$ref'].slice(2).split('/')) : part

/** Every named schema and every schema of an attribute, with its path. */
const schemas = (): readonly (readonly [string, JsonObject])[] => {
  const found: (readonly [string, JsonObject])[] = []
  walk(document, (part, path) => {
    const [last, holder] = [path.at(-1), path.at(-2)]
    const isNamed = path.length === 3 && path[0] === 'components' && path[1] === 'schemas'
    if (isNamed || holder === 'properties' || last === 'schema' || last === 'additionalProperties')
      found.push([path.join('/'), part])
  })
  return found
}

const strict = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, strictTuples: false })
addFormats.default(strict)
for (const name of [...Object.keys(formats), 'binary', 'password']) strict.addFormat(name, true)
strict.addVocabulary([
  'discriminator',
  'components',
  'paths',
  'info',
  'openapi',
  'servers',
  'security',
  'tags',
])
strict.addSchema(document, 'document')

const validators = new Map<string, ValidateFunction>()

const validatorAt = (pointer: string): ValidateFunction => {
  let validate = validators.get(pointer)
  if (validate === undefined)
    validators.set(pointer, (validate = strict.compile({ $ref: `document#${pointer}` })))
  return validate
}

const faultsOf = (schema: JsonObject, pointer: string, value: Json): string => {
  const { $ref: reference } = schema
  const validate = validatorAt(typeof reference === 'string' ? reference.slice(1) : pointer)
  return validate(value) ? '' : strict.errorsText(validate.errors)
}

const pointerTo = (...names: readonly string[]): string =>
  names.map((name) => `/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')

describe('the OpenAPI document', function () {
  // All schemas are compiled.
  this.timeout(60_000)

  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(
      JSON.parse(JSON.stringify(document)) as Record<string, unknown>,
    )
    expect(errors ?? [], JSON.stringify(errors)?.slice(0, 1000)).to.deep.equal([])
    expect(valid).to.equal(true)
    expect(validator.version).to.equal('3.1')
  })

  it('has an operation for each endpoint, and no other', () => {
    expect(operations.map(({ path, method }) => `${method.toUpperCase()} ${path}`)).to.have.members(
      endpoints.map(({ path, method }) => `${method} ${path}`),
    )
  })

  it('has unique names of operations in camel case', () => {
    const ids = operations.map(({ operation }) => String(operation['operationId']))
    for (const id of ids) expect(id).to.match(/^[a-z]+(?:[A-Z][a-z]+)+$/)
    expect(new Set(ids).size).to.equal(ids.length)
  })

  it('describes each operation, and its group', () => {
    const groups = list(document['tags']).map(({ name, description }) => {
      expect(description, String(name)).to.be.a('string').and.match(/\.$/)
      return name
    })
    for (const { path, method, operation } of operations) {
      expect(operation['summary'], `${method} ${path}`).to.be.a('string').and.not.match(/\.$/)
      expect(operation['description'], `${method} ${path}`).to.be.a('string').and.match(/\.$/)
      expect(operation['tags']).to.have.lengthOf(1)
      for (const tag of operation['tags'] as readonly Json[]) expect(groups).to.include(tag)
    }
    expect(groups).to.have.lengthOf(
      new Set(operations.map(({ operation }) => String(operation['tags']))).size,
    )
  })

  it('describes every schema, parameter, header and response', () => {
    const unsaid: string[] = []
    for (const [path, schema] of schemas())
      if (
        schema['$ref'] === undefined &&
        schema['description'] === undefined &&
        !/\/(?:parameters|headers)\//.test(path)
      )
        unsaid.push(path)
    for (const section of ['parameters', 'headers', 'responses'])
      for (const [name, part] of Object.entries(at('components', section)))
        if (typeof (part as JsonObject)['description'] !== 'string') unsaid.push(`${section}/${name}`)
    for (const { path, method, operation } of operations)
      for (const each of [
        ...list(operation['parameters']),
        ...Object.values(operation['responses'] as JsonObject),
      ])
        if (typeof resolved(each as JsonObject)['description'] !== 'string') unsaid.push(`${method} ${path}`)
    expect(unsaid).to.deep.equal([])
  })

  it('has no broken references and no unused components', () => {
    const used = new Set(references())
    for (const reference of used) expect(() => at(...reference.slice(2).split('/')), reference).not.to.throw()
    const all = Object.entries(at('components')).flatMap(([section, parts]) =>
      section === 'securitySchemes'
        ? []
        : Object.keys(parts as JsonObject).map((name) => `#/components/${section}/${name}`),
    )
    expect(all.filter((each) => !used.has(each))).to.deep.equal([])
  })

  it('has schemas that are JSON Schema 2020-12, with formats that are known', () => {
    for (const name of Object.keys(at('components', 'schemas')))
      expect(() => validatorAt(pointerTo('components', 'schemas', name)), name).not.to.throw()
  })

  it('discriminates variants by their attribute', () => {
    const unions = Object.entries(at('components', 'schemas')).filter(
      ([, schema]) => (schema as JsonObject)['discriminator'] !== undefined,
    )
    expect(unions.map(([name]) => name)).to.include.members([
      'Content',
      'ContentInput',
      'Medium',
      'MediumInput',
    ])
    for (const [name, union] of unions) {
      const { oneOf, discriminator } = union as JsonObject
      const { propertyName, mapping } = discriminator as { propertyName: string; mapping: JsonObject }
      expect([...new Set(Object.values(mapping))], name).to.have.members(list(oneOf).map(({ $ref }) => $ref))
      for (const [variant, reference] of Object.entries(mapping)) {
        const { properties, required } = at(...String(reference).slice(2).split('/'))
        const property = (properties as JsonObject)[propertyName] as JsonObject
        // Every word that leads to a variant is one that it takes.
        const words = Object.keys(mapping).filter((word) => mapping[word] === reference)
        expect(property['enum'], `${name} ${variant}`).to.deep.equal(words)
        expect(required, `${name} ${variant}`).to.include(propertyName)
      }
    }
    const mappingOf = (name: string) =>
      Object.keys((at('components', 'schemas', name)['discriminator'] as JsonObject)['mapping'] as JsonObject)
    expect(mappingOf('Content')).to.have.lengthOf(10)
    expect(mappingOf('Medium')).to.have.members(['file', 'external', 'embed'])
  })

  it('has the roles as the scopes of its security scheme, and on each operation the one that it needs', () => {
    const flows = at('components', 'securitySchemes', 'oauth', 'flows', 'clientCredentials')
    expect(Object.keys(flows['scopes'] as JsonObject)).to.deep.equal(roles)
    for (const { path, operation } of operations) {
      const [oauth, token] = list(operation['security'])
      const { permission, deployment } = endpointsById.get(String(operation['operationId'])) ?? {}
      const needed = permission ? [permissionOf(permission)] : undefined
      expect(oauth?.['oauth'], path).to.deep.equal(deployment === undefined ? needed : [])
      expect(token?.['token'], path).to.deep.equal(oauth?.['oauth'])
    }
  })

  it('links created and written objects to operations, by existing values', () => {
    const targets = new Map(operations.map((each) => [String(each.operation['operationId']), each]))
    const linked = new Set<string>()
    for (const { path, operation } of operations) {
      const { 200: good } = operation['responses'] as Record<string, JsonObject>
      const fromPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `$request.path.${name}`)
      for (const link of Object.values((good?.['links'] ?? {}) as JsonObject)) {
        const { operationId, parameters } = link as { operationId: string; parameters: JsonObject }
        const target = targets.get(operationId)
        const place = `${String(operation['operationId'])} → ${operationId}`
        expect(target, place).not.to.equal(undefined)
        for (const [name, expression] of Object.entries(parameters)) {
          expect(target?.path, place).to.include(`{${name}}`)
          if (expression === '$response.body#/uuid') {
            const { schema } = at('paths', path, 'post', 'responses', '200', 'content', 'application/json')
            expect(resolved(schema as JsonObject)['required'], place).to.include('uuid')
          } else expect(fromPath, place).to.include(expression)
        }
        linked.add(operationId)
      }
    }
    for (const id of ['readContent', 'listSlots', 'removeSlot', 'detachTag', 'readTagging', 'downloadFile'])
      expect(linked, id).to.include(id)
  })

  it('has an example of each path parameter and of each JSON request and response body', () => {
    const without: string[] = []
    for (const { operation } of operations) {
      const { operationId, parameters, requestBody, responses } = operation
      for (const each of list(parameters).map(resolved))
        if (each['in'] === 'path' && each['example'] === undefined)
          without.push(`${String(operationId)} ${String(each['name'])}`)
      const { 200: good } = responses as Record<string, JsonObject>
      for (const [part, body] of [
        ['sent', requestBody],
        ['answered', good],
      ] as const)
        for (const [type, media] of Object.entries(
          ((body as JsonObject | undefined)?.['content'] ?? {}) as JsonObject,
        ))
          if (type === 'application/json' && (media as JsonObject)['examples'] === undefined)
            without.push(`${String(operationId)} ${part}`)
    }
    // The number of an upload differs between services: it is read from `download_url`.
    expect(without).to.deep.equal(['readOpenApi answered', 'downloadFile upload'])
  })

  it('has examples that match their schemas', () => {
    let count = 0
    const wrong: string[] = []
    walk(document, (part, path) => {
      const { schema, example, examples } = part
      if (!isJsonObject(schema)) return
      const values = [
        ...(example === undefined ? [] : [example]),
        ...Object.values((examples ?? {}) as JsonObject).map((each) => (each as JsonObject)['value'] ?? null),
      ]
      for (const value of values) {
        count += 1
        const faults = faultsOf(schema, pointerTo(...path, 'schema'), value)
        if (faults !== '') wrong.push(`${path.join('/')}: ${faults}`)
      }
    })
    expect(wrong).to.deep.equal([])
    expect(count).to.be.greaterThan(250)
  })

  it('marks read-only, write-only and deprecated attributes', () => {
    const properties = (name: string) => at('components', 'schemas', name, 'properties')
    const article = properties('ContentArticle')
    expect(article['uuid']).to.include({ readOnly: true, format: 'uuid' })
    expect(article['feature_thumb_url']).to.include({ readOnly: true, deprecated: true })
    expect(article['blog_uuid']).to.include({ deprecated: true })
    expect(properties('ContentArticleInput')).not.to.have.property('uuid')
    expect(properties('TokenRequest')['api_secret']).to.include({ writeOnly: true, format: 'password' })
    for (const { operationId, deprecated } of operations.map(({ operation }) => operation))
      expect(deprecated === true, String(operationId)).to.equal(/Blog|ContentMedi/.test(String(operationId)))
  })
})
