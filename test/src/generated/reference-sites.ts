/** Every reference that the declarations know: attributes of resources, items of lists, taggings. */
import { randomUUID } from 'node:crypto'
import {
  resources,
  segmentsOf,
  taggableCollections,
  type Json,
  type JsonObject,
  type Reference,
  type Resource,
  type Shape,
  type StoredAttribute,
} from '@publishing-service/domain'
import { endpoints, type Endpoint } from '@publishing-service/http-contract'
import { expectOk } from '../harness/expect-answer.js'
import { storeAudio, storeImage } from '../harness/library.js'
import { replacedAt, requiredBody, variantsOf, writablesOf } from '../harness/valid-bodies.js'
import { fullSampleOf } from './dead-references.js'
import { partsOf } from './item-parts.js'
import { onStage, type Stage } from './stage.js'

export type Target = Pick<Reference, 'collection' | 'media'>

/** What holds a reference: the object, and the path at which it is read and written as a whole. */
export type Holder = { readonly collection: string; readonly id: string; readonly path: string }

/** One reference, with what makes an object hold it. */
export type Site = {
  readonly title: string
  readonly target: Target
  /** The attribute of the holder that keeps it, where queries know it. */
  readonly attribute: string
  readonly hold: (stage: Stage, targetId: string) => Promise<Holder>
}

/** Nothing but what the reference needs to be there. */
export const createTarget = async (stage: Stage, { collection, media }: Target): Promise<string> => {
  if (media === 'image') return (await storeImage(stage.home.admin)).id
  if (media === 'audio') return (await storeAudio(stage.home.admin)).id
  const resource = resources.find((each) => each.collection === collection)
  if (resource === undefined) throw new Error(`${collection} is no collection`)
  const id = randomUUID()
  const body = {
    ...requiredBody(resource, variantsOf(resource)[0] ?? null, id, stage.candidates),
    ...onStage(resource),
  }
  expectOk(await stage.home.admin.put(`/${segmentsOf(resource)}/${id}`, body))
  return id
}

type Held = readonly [name: string, attribute: StoredAttribute, reference: Reference, sample: Json]

const heldBy = (shape: Shape, variant: string | null): readonly Held[] =>
  writablesOf(shape, variant).flatMap(([name, attribute]): readonly Held[] => {
    if (attribute.kind !== 'stored') return []
    const sample = fullSampleOf(attribute.type.schema)
    const references = attribute.type.references?.(sample) ?? []
    return references.map((reference) => [name, attribute, reference, sample])
  })

/** The sample with this reference aimed at the target, and the others at what stands on the stage. */
const aimedAt = (stage: Stage, [, { type }, reference, sample]: Held, id: string): Json =>
  (type.references?.(sample) ?? []).reduce<Json>((value, each) => {
    const aim = each.path === reference.path ? id : (stage.candidates(each)[0] ?? '')
    return replacedAt(value, each.path === '' ? [] : each.path.split('.'), aim)
  }, sample)

const pathIn = (name: string, { path }: Reference): string => (path === '' ? name : `${name}.${path}`)

const isFirst = (resource: Shape, variant: string | null, name: string): boolean =>
  variantsOf(resource).find((each) => writablesOf(resource, each).some(([other]) => other === name)) ===
  variant

const ofResource = (resource: Resource): readonly Site[] =>
  variantsOf(resource).flatMap((variant) =>
    heldBy(resource, variant)
      .filter(([name]) => isFirst(resource, variant, name))
      .map((held): Site => {
        const [name, , reference] = held
        return {
          title: `${resource.name}.${pathIn(name, reference)}`,
          target: reference,
          attribute: name,
          hold: async (stage, targetId) => {
            const id = randomUUID()
            const path = `/${segmentsOf(resource)}/${id}`
            const required = requiredBody(resource, variant, id, stage.candidates)
            const body = { ...required, ...onStage(resource), [name]: aimedAt(stage, held, targetId) }
            expectOk(await stage.home.admin.put(path, body))
            return { collection: resource.collection, id, path }
          },
        }
      }),
  )

const takesParts = ({ resource, body, permission, operation }: Endpoint): boolean =>
  resource === undefined && permission !== null && body.endsWith('object') && operation !== 'attachTag'

const nowhere = { bodies: new Map(), candidates: () => [randomUUID()] } as const

const ofParts = (endpoint: Endpoint): readonly Site[] =>
  partsOf(endpoint, nowhere).flatMap(({ shape }, index) =>
    variantsOf(shape).flatMap((variant) =>
      heldBy(shape, variant).map((held): Site => {
        const [name, , reference] = held
        const kind = variant === null ? '' : ` of type ${variant}`
        return {
          title: `${endpoint.method} ${endpoint.path}: ${pathIn(name, reference)}${kind}`,
          target: reference,
          attribute: endpoint.members?.attribute ?? name,
          hold: async (stage, targetId) => {
            const part = partsOf(endpoint, stage)[index]
            if (part === undefined) throw new Error('the part is gone')
            const item: JsonObject = { ...part.right(variant), [name]: aimedAt(stage, held, targetId) }
            const address = stage.address(endpoint)
            expectOk(
              await stage.root(stage.home.admin.token).send(endpoint.method, address, {
                body: JSON.stringify(part.body(item)),
                headers: { 'Content-Type': 'application/json' },
              }),
            )
            const collection = endpoint.permission?.subject ?? ''
            const id = stage.ids.get(collection) ?? ''
            return { collection, id, path: address.replace(/^\/\d+/, '') }
          },
        }
      }),
    ),
  )

const ofTaggings: readonly Site[] = taggableCollections.map((collection) => ({
  title: `the tags of ${collection}`,
  target: { collection: 'tags' },
  attribute: 'taggings',
  hold: async (stage, tagId) => {
    const id = await createTarget(stage, { collection })
    const resource = resources.find((each) => each.collection === collection)
    expectOk(await stage.home.editor.put(`/tags/${tagId}/describes/${id}`, {}))
    return { collection, id, path: `/${resource === undefined ? collection : segmentsOf(resource)}/${id}` }
  },
}))

export const sites: readonly Site[] = [
  ...resources.flatMap(ofResource),
  ...endpoints.filter(takesParts).flatMap(ofParts),
  ...ofTaggings,
]

/** The attributes that keep references where clients don't see them as attributes. */
export const hiddenReferences: readonly string[] = resources.flatMap(({ collection, attributes }) =>
  Object.entries(attributes).flatMap(([name, attribute]) =>
    attribute.kind === 'stored' && attribute.internal && (attribute.type.targets ?? []).length > 0
      ? [`${collection}.${name}`]
      : [],
  ),
)
