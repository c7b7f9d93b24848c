import { sampleObjects, type Schema } from '@publishing-service/domain/declare'
import { thumbnailKinds } from '@publishing-service/domain/files'
import { predicateNames } from '@publishing-service/domain/tags'
import { settingsAttributes, subjectsWithVersions } from '@publishing-service/domain/roles'

const uuid = { type: 'string', format: 'uuid' } as const

type PathParameter = {
  readonly description: string
  readonly schema: Schema
  /** Set if it is the same in all examples. */
  readonly example?: number | string
}

/** Every path parameter, by name. */
export const pathParameters: Readonly<Record<string, PathParameter>> = {
  iid: {
    description: 'Number of the instance.',
    schema: { type: 'integer', minimum: 1, maximum: 999_999_999 },
    example: 1,
  },
  uuid: { description: 'Identifier of the object.', schema: uuid },
  api_key: {
    description: 'The API key.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]+$', maxLength: 128 },
    example: 'example-key-of-the-demo',
  },
  session: {
    description: 'Identifier of the session.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]+$', maxLength: 128 },
    example: 'example-id-of-a-session',
  },
  passkey: {
    description: 'Identifier of the passkey.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]+$', maxLength: 128 },
    example: 'example-id-of-a-passkey',
  },
  identity: {
    description: 'Identifier of the identity.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]+$', maxLength: 128 },
    example: 'example-id-of-an-identity',
  },
  slot_uuid: {
    description: 'Identifier of the slot: the `id` of its tag in the body.',
    schema: uuid,
    example: sampleObjects.slotOfStory,
  },
  object_uuid: {
    description: 'Identifier of the object that the tag is on.',
    schema: uuid,
    example: sampleObjects.story,
  },
  tag_uuid: {
    description: 'Identifier of the tag.',
    schema: uuid,
    example: sampleObjects.tag,
  },
  delivery_uuid: {
    description: 'Identifier of the delivery.',
    schema: uuid,
    example: '1c9a7f0e-52b3-4c64-8d0f-6e7b8a9c0d12',
  },
  predicate: {
    description: 'How the tag relates to the object.',
    schema: { type: 'string', enum: predicateNames },
    example: 'describes',
  },
  name: {
    description: 'Name of the setting.',
    schema: { type: 'string', enum: Object.keys(settingsAttributes) },
    example: 'timezone',
  },
  kind: {
    description: 'Kind of media.',
    schema: { type: 'string', enum: thumbnailKinds },
    example: 'audio',
  },
  feed: {
    description: '`all` for the whole instance, or the UUID of a section.',
    schema: {
      type: 'string',
      pattern: '^(all|[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})$',
      maxLength: 36,
    },
    example: 'all',
  },
  collection: {
    description: 'Name of the collection that the object was in.',
    schema: { type: 'string', enum: [...subjectsWithVersions] },
    example: 'content',
  },
  version: {
    description: 'Number of the version.',
    schema: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    example: 1,
  },
  upload: {
    description: 'Number of the upload, as in `download_url`; any other than the last returns 404.',
    schema: { type: 'integer', minimum: 0, maximum: 999_999_999_999_999 },
  },
}
