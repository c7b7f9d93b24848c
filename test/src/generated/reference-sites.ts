/** Every declared reference: attributes of resources, items of lists, taggings. */
import { randomUUID } from 'node:crypto'
import { resources, type Resource } from '@publishing-service/domain'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import type { Reference, Schema, Shape, StoredAttribute } from '@publishing-service/domain/declare'
import { taggableCollections } from '@publishing-service/domain/tags'
import { segmentsOf } from '@publishing-service/domain/engine'
import { endpoints, type Endpoint } from '@publishing-service/http-contract'
import { expectOk } from '../harness/expect-response.js'
import { storeAudio, storeImage } from '../harness/stored-files.js'
import { replacedAt, requiredBody, variantsOf, writablesOf } from '../harness/valid-bodies.js'
import { sampleOf } from '../harness/value-arbitraries.js'
import { partsOf } from './body-parts.js'
import { visibleAttributes, type Fixture } from './service-fixture.js'

export type Target = Pick<Reference, 'collection' | 'media'>

/** The object that contains a reference, and the path at which it is read and written. */
export type Holder = { readonly collection: string; readonly id: string; readonly path: string }

/** One reference, and a function that creates an object which contains it. */
export type Site = {
  readonly title: string
  readonly target: Target
  /** The stored attribute of the holder that contains the reference. */
  readonly attribute: string
  readonly createHolder: (fixture: Fixture, targetId: string) => Promise<Holder>
}

/** Creates an object that the reference may name, with required attributes only. */
export const createTarget = async (fixture: Fixture, { collection, media }: Target): Promise<string> => {
  if (media === 'image') return (await storeImage(fixture.home.admin)).id
  if (media === 'audio') return (await storeAudio(fixture.home.admin)).id
  const resource = resources.find((each) => each.collection === collection)
  if (resource === undefined) throw new Error(`${collection} is no collection`)
  const id = randomUUID()
  const body = {
    ...requiredBody(resource, variantsOf(resource)[0] ?? null, id, fixture.candidates),
    ...visibleAttributes(resource),
  }
  expectOk(await fixture.home.admin.put(`/${segmentsOf(resource)}/${id}`, body))
  return id
}

/** A value with an entry in every list and every attribute, so that it contains every possible reference. */
const fullSampleOf = (schema: Schema): Json => {
  if (schema.type === 'array' && schema.format === undefined) return [fullSampleOf(schema.items ?? {})]
  if (schema.type !== 'object') return sampleOf(schema)
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, each]) => [name, fullSampleOf(each)]),
  )
}

type DeclaredReference = readonly [
  name: string,
  attribute: StoredAttribute,
  reference: Reference,
  sample: Json,
]

const declaredReferences = (shape: Shape, variant: string | null): readonly DeclaredReference[] =>
  writablesOf(shape, variant).flatMap(([name, attribute]): readonly DeclaredReference[] => {
    if (attribute.kind !== 'stored') return []
    const sample = fullSampleOf(attribute.type.schema)
    const references = attribute.type.references?.(sample) ?? []
    return references.map((reference) => [name, attribute, reference, sample])
  })

/** The sample with this reference set to the target, and the others to existing objects. */
const withReference = (
  fixture: Fixture,
  [, { type }, reference, sample]: DeclaredReference,
  id: string,
): Json =>
  (type.references?.(sample) ?? []).reduce<Json>((value, each) => {
    const aim = each.path === reference.path ? id : (fixture.candidates(each)[0] ?? '')
    return replacedAt(value, each.path === '' ? [] : each.path.split('.'), aim)
  }, sample)

const pathIn = (name: string, { path }: Reference): string => (path === '' ? name : `${name}.${path}`)

const isFirst = (resource: Shape, variant: string | null, name: string): boolean =>
  variantsOf(resource).find((each) => writablesOf(resource, each).some(([other]) => other === name)) ===
  variant

const resourceSites = (resource: Resource): readonly Site[] =>
  variantsOf(resource).flatMap((variant) =>
    declaredReferences(resource, variant)
      .filter(([name]) => isFirst(resource, variant, name))
      .map((declared): Site => {
        const [name, , reference] = declared
        return {
          title: `${resource.name}.${pathIn(name, reference)}`,
          target: reference,
          attribute: name,
          createHolder: async (fixture, targetId) => {
            const id = randomUUID()
            const path = `/${segmentsOf(resource)}/${id}`
            const required = requiredBody(resource, variant, id, fixture.candidates)
            const body = {
              ...required,
              ...visibleAttributes(resource),
              [name]: withReference(fixture, declared, targetId),
            }
            expectOk(await fixture.home.admin.put(path, body))
            return { collection: resource.collection, id, path }
          },
        }
      }),
  )

/** What drafts refer to is declared with their objects. */
const acceptsParts = ({ resource, body, permission, operation, path }: Endpoint): boolean =>
  resource === undefined &&
  permission !== null &&
  body.endsWith('object') &&
  operation !== 'attachTag' &&
  !path.includes('/draft')

const emptyContext = { bodies: new Map(), candidates: () => [randomUUID()] } as const

const partSites = (endpoint: Endpoint): readonly Site[] =>
  partsOf(endpoint, emptyContext).flatMap(({ shape }, index) =>
    variantsOf(shape).flatMap((variant) =>
      declaredReferences(shape, variant).map((declared): Site => {
        const [name, , reference] = declared
        const kind = variant === null ? '' : ` of type ${variant}`
        return {
          title: `${endpoint.method} ${endpoint.path}: ${pathIn(name, reference)}${kind}`,
          target: reference,
          attribute: endpoint.members?.attribute ?? name,
          createHolder: async (fixture, targetId) => {
            const part = partsOf(endpoint, fixture)[index]
            if (part === undefined) throw new Error('the part no longer exists')
            const item: JsonObject = {
              ...part.valid(variant),
              [name]: withReference(fixture, declared, targetId),
            }
            const address = fixture.address(endpoint)
            expectOk(
              await fixture.root(fixture.home.admin.token).send(endpoint.method, address, {
                body: JSON.stringify(part.body(item)),
                headers: { 'Content-Type': 'application/json' },
              }),
            )
            const collection = endpoint.permission?.subject ?? ''
            const id = fixture.ids.get(collection) ?? ''
            return { collection, id, path: address.replace(/^\/\d+/, '') }
          },
        }
      }),
    ),
  )

const taggingSites: readonly Site[] = taggableCollections.map((collection) => ({
  title: `the tags of ${collection}`,
  target: { collection: 'tags' },
  attribute: 'taggings',
  createHolder: async (fixture, tagId) => {
    const id = await createTarget(fixture, { collection })
    const resource = resources.find((each) => each.collection === collection)
    expectOk(await fixture.home.editor.put(`/tags/${tagId}/describes/${id}`, {}))
    return { collection, id, path: `/${resource === undefined ? collection : segmentsOf(resource)}/${id}` }
  },
}))

export const sites: readonly Site[] = [
  ...resources.flatMap(resourceSites),
  ...endpoints.filter(acceptsParts).flatMap(partSites),
  ...taggingSites,
]

/** Internal attributes with references, which clients do not see as attributes. */
export const hiddenReferences: readonly string[] = resources.flatMap(({ collection, attributes }) =>
  Object.entries(attributes).flatMap(([name, attribute]) =>
    attribute.kind === 'stored' && attribute.internal && (attribute.type.targets ?? []).length > 0
      ? [`${collection}.${name}`]
      : [],
  ),
)
