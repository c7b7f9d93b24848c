/**
 * Wrong values for what is written and is no resource: settings, slots, media, made from their tables for every endpoint
 * that takes an object (specification, Media; decisions §5.2, §8). Attributes of resources have their own walk.
 */
import { expect } from 'chai'
import { after, before, describe } from 'mocha'
import { randomUUID } from 'node:crypto'
import {
  media,
  settingsAttributes,
  slot,
  type Json,
  type JsonObject,
  type Shape,
} from '@publishing-service/domain'
import type { Endpoint } from '@publishing-service/http-contract'
import { expectFaults, expectOk } from '../harness/expect-answer.js'
import type { Answer } from '../harness/http-client.js'
import { variantsOf, writablesOf } from '../harness/valid-bodies.js'
import { findDeadReferences, type DeadReferences } from './dead-references.js'
import { setStage, type Stage } from './stage.js'
import { walkEndpoints, type Exceptions } from './walk.js'
import { wrongValues, type WrongValue } from './wrong-values.js'

/** What an endpoint takes: objects of a shape, and how they stand in its body. */
type Part = {
  readonly shape: Shape
  /** A right object of one variant. */
  readonly right: (variant: string | null) => JsonObject
  readonly body: (part: Json) => JsonObject
  /** What paths of faults start with. */
  readonly prefix: string
  /** Whether null means «not sent» (PUT) rather than «clear» (PATCH). */
  readonly whole: boolean
}

const resourceOperations: Exceptions = {
  createObject: 'attributes of resources: attributes.test',
  replaceObject: 'attributes of resources: attributes.test',
  changeObject: 'attributes of resources: attributes.test',
}

describe('wrong values for settings, slots and media', () => {
  let stage: Stage
  let deadReferences: DeadReferences
  before(async () => {
    stage = await setStage()
    deadReferences = await findDeadReferences(stage)
  })
  after(async () => {
    await stage.close()
  })

  const rightMedium = (variant: string | null): JsonObject => {
    if (variant === 'file')
      return { type: 'file', image_uuid: stage.candidates({ collection: 'files', media: 'image' })[0] ?? '' }
    if (variant === 'embed') return { type: 'embed', embed_code: '<b>x</b>' }
    return {
      type: 'external',
      url_type: 'audio',
      urls: [{ url: 'https://example.org/a.mp3', mimetype: 'audio/mpeg' }],
    }
  }

  const partOf = ({ operation, path }: Endpoint): Part => {
    switch (operation) {
      case 'changeSettings':
        return {
          shape: { attributes: settingsAttributes },
          right: () => ({}),
          body: (part) => part as JsonObject,
          prefix: '',
          whole: false,
        }
      case 'putSlot':
        return {
          shape: slot,
          right: () => ({ relevance: 'inline' }),
          body: (part) => part as JsonObject,
          prefix: '',
          whole: true,
        }
      case 'addMedium':
        return {
          shape: media,
          right: rightMedium,
          body: (part) => part as JsonObject,
          prefix: '',
          whole: true,
        }
      case 'replaceMedia':
        return {
          shape: media,
          right: rightMedium,
          body: (part) => ({ items: [rightMedium('embed'), part] }),
          prefix: 'items.1.',
          whole: true,
        }
      default:
        throw new Error(`what does ${path} take?`)
    }
  }

  const takesObject = ({ body }: Endpoint): boolean => body === 'object'

  const send = (endpoint: Endpoint, value: Json): Promise<Answer> =>
    stage.root(stage.home.admin.token).send(endpoint.method, stage.address(endpoint), {
      body: JSON.stringify(value),
      headers: { 'Content-Type': 'application/json' },
    })

  walkEndpoints(
    'each attribute',
    { about: takesObject, exceptions: resourceOperations },
    async (endpoint) => {
      const { shape, right, body, prefix, whole } = partOf(endpoint)
      const before_ = await stage.snapshot()
      for (const variant of variantsOf(shape)) {
        expect(writablesOf(shape, variant)).not.to.have.lengthOf(0)
        for (const [name, attribute] of writablesOf(shape, variant)) {
          const dead = attribute.kind === 'stored' ? deadReferences(attribute.type) : []
          const missing: readonly WrongValue[] =
            attribute.kind === 'stored' && attribute.required && !whole
              ? [{ why: 'cleared', value: null, path: '' }]
              : []
          for (const { value, path, why } of [...wrongValues(attribute.type.schema), ...dead, ...missing]) {
            const expected = `${prefix}${name}${path === '' ? '' : `.${path}`}`
            const info = expectFaults(
              await send(endpoint, body({ ...right(variant), [name]: value })),
              expected,
            )
            expect(info[expected], why).to.have.length.below(1500)
          }
        }
      }
      expect(await stage.snapshot()).to.deep.equal(before_)
    },
  )

  const takesMedia = ({ operation }: Endpoint): boolean =>
    operation === 'addMedium' || operation === 'replaceMedia'
  walkEndpoints('media that lack what their type needs', { about: takesMedia }, async (endpoint) => {
    const { body, prefix } = partOf(endpoint)
    const before_ = await stage.snapshot()
    const lacking: readonly (readonly [JsonObject, string])[] = [
      [{}, 'type'],
      [{ type: null }, 'type'],
      [{ type: 'file' }, 'image_uuid'],
      [{ type: 'file', image_uuid: null, file_uuid: null }, 'image_uuid'],
      [{ type: 'embed' }, 'embed_code'],
      [{ type: 'external' }, 'url_type'],
      [{ type: 'external', url_type: 'video_host_1' }, 'url'],
      [{ type: 'external', url_type: 'video_host_2', url: 'https://example.org/1' }, 'url'],
      [{ type: 'external', url_type: 'audio_host_1', url: 'https://soundcloud.com.example.org/1' }, 'url'],
      [{ type: 'external', url_type: 'audio' }, 'urls'],
      [{ type: 'external', url_type: 'video', urls: [] }, 'urls'],
      [{ type: 'external', url_type: 'video', url: 'https://example.org/1' }, 'urls'],
    ]
    for (const [medium, name] of lacking) expectFaults(await send(endpoint, body(medium)), `${prefix}${name}`)
    expect(await stage.snapshot()).to.deep.equal(before_)
  })

  const takesList = ({ operation }: Endpoint): boolean => operation === 'replaceMedia'
  walkEndpoints('lists of media that are none', { about: takesList }, async (endpoint) => {
    const before_ = await stage.snapshot()
    for (const items of [null, 'x', 7, true, {}, { 0: rightMedium('embed'), length: 1 }])
      expectFaults(await send(endpoint, { items }), 'items')
    expectFaults(await send(endpoint, {}), 'items')
    const wrong: readonly Json[] = [null, 'x', 7, true, [], [rightMedium('embed')]]
    expectFaults(await send(endpoint, { items: wrong }), ...wrong.map((_item, index) => `items.${index}`))
    const many = Array.from({ length: 501 }, () => rightMedium('embed'))
    expectFaults(await send(endpoint, { items: many }), 'items')
    expectFaults(await send(endpoint, { items: Array.from({ length: 100_000 }, () => 1) }), 'items')
    expect(await stage.snapshot()).to.deep.equal(before_)
  })

  walkEndpoints('§2.5 every fault of a list together', { about: takesList }, async (endpoint) => {
    const items: readonly Json[] = [
      { type: 'embed' },
      rightMedium('file'),
      { type: 'file', image_uuid: randomUUID(), thumb_uuid: randomUUID(), title: 7 },
      { type: 'external', url_type: 'video', urls: [{ url: 'x' }, { mimetype: 'x' }] },
    ]
    expectFaults(
      await send(endpoint, { items }),
      'items.0.embed_code',
      'items.2.image_uuid',
      'items.2.thumb_uuid',
      'items.2.title',
      'items.3.urls.0.url',
      'items.3.urls.1.url',
      'items.3.urls.1.mimetype',
    )
  })

  const nowhere = ({ path }: Endpoint): boolean => path.includes('{slot_uuid}')
  walkEndpoints(
    '§2.5 faults of a body beside a slot that isn’t placed',
    { about: (each) => takesObject(each) && nowhere(each) },
    async (endpoint) => {
      const { prefix, body } = partOf(endpoint)
      const wrong =
        endpoint.operation === 'putSlot' ? { relevance: 7, display: 'x' } : body({ type: 'embed', title: 7 })
      const paths =
        endpoint.operation === 'putSlot'
          ? ['relevance', 'display']
          : [`${prefix}embed_code`, `${prefix}title`]
      const address = stage.address(endpoint, { slot_uuid: randomUUID() })
      const answer = await stage.root(stage.home.admin.token).send(endpoint.method, address, {
        body: JSON.stringify(wrong),
        headers: { 'Content-Type': 'application/json' },
      })
      expectFaults(answer, 'slot_uuid', ...paths)
    },
  )

  walkEndpoints('§2.2 strict handling tells what nobody knows', { about: takesObject }, async (endpoint) => {
    const { headers, ...rest } = {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ nobody_knows: 1 }),
    }
    const answer = await stage.root(stage.home.admin.token).send(endpoint.method, stage.address(endpoint), {
      ...rest,
      headers: { ...headers, Prefer: 'handling=strict' },
    })
    expect(answer.status).to.equal(400)
    expect(answer.object['error_info']).to.have.property('nobody_knows')
    expectOk(await stage.home.admin.get('/settings'))
  })
})
