/** The versions of an object as they are returned, and the parameters of their list (docs/behaviour/history.md). */
import type { Fault } from '../fault.js'
import { E, type Either } from '../fp.js'
import { readingParameters, type Parameters } from '../resource/collection-filter.js'
import {
  momentSchema,
  nullable,
  shown,
  textSchema,
  uriSchema,
  uuidSchema,
} from '../resource/shown-attribute.js'
import type { Shape } from '../resource/attribute-tables.js'
import type { Schema } from '../value/schema.js'

/** The versions of an object that are retained, by default. */
export const defaultRetainedVersions = 50

const version = { type: 'integer', minimum: 1 } as const

/** A version of an object. */
export const versionShape: Shape = {
  attributes: {
    version: shown('version', version, 'Number of the version.'),
    time: shown(
      'time',
      momentSchema,
      'When it was written, in UTC; null if that was not recorded.',
      nullable,
    ),
    user: shown(
      'user',
      uuidSchema,
      'UUID of the API user that wrote it; null for the command line.',
      nullable,
    ),
    name: shown(
      'name',
      textSchema,
      'Name of that user at that time; null if that was not recorded.',
      nullable,
    ),
    operation: shown(
      'operation',
      textSchema,
      'The operation, such as `changeObject`; null if that was not recorded.',
      nullable,
    ),
    changed: shown(
      'changed',
      { type: 'array', items: textSchema },
      'The attributes and parts that differ from the version before.',
    ),
  },
}

/** The page around the versions. */
export const versionPageShape: Shape = {
  attributes: {
    next: shown('next', uriSchema, 'Address of the next page; absent on the last one.', { sparse: true }),
  },
}

const wordChanges = ['same', 'added', 'removed'] as const

/** A part of a text that two versions have, or one of them. */
export type WordChange = { readonly change: (typeof wordChanges)[number]; readonly text: string }

/** What differs in one attribute between a version and the one before. */
export const attributeChangeShape: Shape = {
  attributes: {
    attribute: shown('attribute', textSchema, 'Name of the attribute or part.'),
    values: shown(
      'values',
      { type: 'object' },
      '`before` and `after`, as they are stored; absent for long texts, and for parts such as slots.',
      { sparse: true },
    ),
    words: shown(
      'words',
      {
        type: 'array',
        items: {
          type: 'object',
          description: 'A part of the text.',
          properties: {
            change: {
              ...textSchema,
              enum: wordChanges,
              description: 'Whether both versions have it, or only the later or the earlier one.',
            },
            text: {
              ...textSchema,
              description: 'Its words; of long parts that both have, the first and the last ones.',
            },
          },
          required: ['change', 'text'],
        },
      },
      'A long text, word by word; absent if its versions have too little in common.',
      { sparse: true },
    ),
  },
}

/** The most versions of a page. */
const longestPage = 100

/** The query parameters of the list of versions. */
export const versionParameters = [
  {
    name: 'before',
    description: 'Only versions before this number.',
    schema: { ...version, maximum: Number.MAX_SAFE_INTEGER },
  },
  {
    name: 'rpp',
    description: `Versions of a page; ${defaultRetainedVersions} by default.`,
    schema: { type: 'integer', minimum: 1, maximum: longestPage },
  },
] as const satisfies readonly { name: string; description: string; schema: Schema }[]

/** A page of versions: those before a number, or all; and how many. */
export type VersionsQuery = { readonly before: number; readonly limit: number }

const whole =
  (most: number) =>
  (sent: string): Either<string, number> =>
    /^[1-9]\d{0,15}$/.test(sent) && Number(sent) <= most
      ? E.right(Number(sent))
      : E.left(`must be a whole number from 1 to ${most}`)

/** The parameters of a request for versions, or why they are not accepted. */
export const parseVersionsQuery = (parameters: Parameters): Either<readonly Fault[], VersionsQuery> => {
  const { faults, read } = readingParameters(parameters)
  const query = {
    before: read('before', Infinity, whole(Number.MAX_SAFE_INTEGER)),
    limit: read<number>('rpp', defaultRetainedVersions, whole(longestPage)),
  }
  return faults.length > 0 ? E.left(faults) : E.right(query)
}
