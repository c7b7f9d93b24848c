import type * as t from 'io-ts'
import {
  codecOf,
  defaultImageLimits,
  defaultRateLimits,
  defaultStreamingHosts,
  defaultUploadLimits,
  E,
  isJsonObject,
  type StreamingHost,
} from '@publishing-service/domain'
import { defaultJsonLimit, defaultJsonSeconds } from '@publishing-service/http-contract'

/** One variable of the environment: what it means, how it is read, and what it is when it isn't set. */
export type Variable<A> = {
  readonly description: string
  readonly codec: t.Decoder<unknown, A>
  /** As it would be written; null where there is none. */
  readonly fallback: string | null
  /** Never shown, and readable from the file that `<NAME>_FILE` names. */
  readonly secret?: true
  /** The fallback in words, where it is too long to be shown. */
  readonly fallbackWords?: string
}

const text = (what: string, pattern: RegExp) =>
  codecOf<string>(what, (value) =>
    typeof value === 'string' && pattern.test(value) ? E.right(value) : E.left(`must be ${what}`),
  )

const baseAddress = codecOf<string>('address', (value) =>
  typeof value === 'string' && /^https?:\/\/[^\s?#]*[^\s?#/]$/.test(value) && URL.canParse(value)
    ? E.right(value)
    : E.left('must be an address such as https://api.example.org, without a slash at the end'),
)

const integer = (min: number, max: number) =>
  codecOf<number>('integer', (value) =>
    typeof value === 'string' && /^\d{1,15}$/.test(value) && Number(value) >= min && Number(value) <= max
      ? E.right(Number(value))
      : E.left(`must be a whole number from ${min} to ${max}`),
  )

const flag = codecOf<boolean>('flag', (value) => {
  if (value === 'true' || value === '1') return E.right(true)
  return value === 'false' || value === '0' ? E.right(false) : E.left('must be true or false')
})

const word = <W extends string>(...words: readonly W[]) =>
  codecOf<W>('word', (value) => {
    const found = words.find((each) => each === value)
    return found === undefined ? E.left(`must be one of ${words.join(', ')}`) : E.right(found)
  })

/** The built-in stores, as STORE and BLOBS name them. */
export const documentStoreNames = ['sqlite', 'mongodb', 'memory'] as const
export const blobStoreNames = ['filesystem', 'minio', 'memory'] as const

/** What STORE and BLOBS name a store of a package by. */
export const packagePrefix = 'package:'

// As npm takes names of packages: https://docs.npmjs.com/cli/configuring-npm/package-json#name
const packageName = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/

const storeName = (builtIn: readonly string[]) =>
  codecOf<string>('store', (value) =>
    typeof value === 'string' &&
    (builtIn.includes(value) ||
      (value.startsWith(packagePrefix) && packageName.test(value.slice(packagePrefix.length))))
      ? E.right(value)
      : E.left(`must be one of ${builtIn.join(', ')}, or ${packagePrefix} and the name of an npm package`),
  )

const origins = codecOf<readonly string[]>('origins', (value) => {
  const list =
    typeof value === 'string'
      ? value
          .split(',')
          .map((each) => each.trim())
          .filter((each) => each !== '')
      : []
  return list.every((each) => each === '*' || /^https?:\/\/[^\s/,]+$/.test(each))
    ? E.right(list)
    : E.left('must be origins such as https://www.example.org, separated by commas, or *')
})

const isHost = (value: unknown): value is StreamingHost =>
  isJsonObject(value) &&
  typeof value['name'] === 'string' &&
  [value['aliases'], value['hosts']].every(
    (list) => Array.isArray(list) && list.every((each) => typeof each === 'string'),
  )

const streamingHosts = codecOf<readonly StreamingHost[]>('streaming hosts', (value) => {
  const wanted = 'must be a JSON list of objects with name, aliases and hosts'
  try {
    const list: unknown = typeof value === 'string' ? JSON.parse(value) : null
    return Array.isArray(list) && list.every(isHost) ? E.right(list) : E.left(wanted)
  } catch (error) {
    if (error instanceof SyntaxError) return E.left(wanted)
    throw error
  }
})

const optional = <A>(codec: t.Type<A, A, unknown>) =>
  codecOf<A | null>(codec.name, (value) => {
    if (value === '') return E.right(null)
    const result = codec.decode(value)
    return E.isRight(result) ? result : E.left(result.left[0]?.message ?? 'is not valid')
  })

const variable = <A>(
  description: string,
  codec: t.Type<A, A, unknown>,
  fallback: string | null,
  options: Pick<Variable<A>, 'secret' | 'fallbackWords'> = {},
): Variable<A> => ({ description, codec, fallback, ...options })

const mebibyte = 1024 * 1024

const bytes = (what: string, fallback: number) =>
  variable(
    `${what}, in bytes; ${fallback / mebibyte} MiB unless set.`,
    integer(1, Number.MAX_SAFE_INTEGER),
    String(fallback),
  )

const keyText = (length: string, pattern: RegExp) =>
  optional(text(`${length} characters of A-Z, a-z, 0-9, underscore and hyphen`, pattern))

/** Every variable that the service reads; the table in docs/configuration.md and the messages at start-up are made from it. */
export const configurationTable = {
  HOST: variable('Address to listen on.', text('a host name or address', /^[\w.:-]+$/), '127.0.0.1'),
  PORT: variable('Port to listen on; 0 takes a free one.', integer(0, 65_535), '8080'),
  BASE_URL: variable(
    'Public address, in all links; empty takes each request’s own.',
    optional(baseAddress),
    '',
  ),
  TRUST_PROXY: variable('Whether X-Forwarded-* come from a proxy of yours.', flag, 'false'),
  DATA_DIR: variable(
    'Folder of the embedded stores; made when missing.',
    text('a path', /^[^\0]+$/),
    './data',
  ),
  STORE: variable(
    'Where documents are kept: sqlite, mongodb, memory, or package: and the name of an installed npm package.',
    storeName(documentStoreNames),
    'sqlite',
  ),
  BLOBS: variable(
    'Where file data is kept: filesystem, minio, memory, or package: and the name of an installed npm package.',
    storeName(blobStoreNames),
    'filesystem',
  ),
  MONGODB_URL: variable(
    'Connection string of MongoDB, the database in its path; needed where STORE is mongodb.',
    optional(
      text('a connection string that begins with mongodb:// or mongodb+srv://', /^mongodb(\+srv)?:\/\/\S+$/),
    ),
    '',
    { secret: true },
  ),
  MINIO_URL: variable(
    'Address of MinIO or another S3-compatible server; needed where BLOBS is minio.',
    optional(text('an address such as https://minio.example.org:9000', /^https?:\/\/[^\s/?#@]+\/?$/)),
    '',
  ),
  MINIO_ACCESS_KEY: variable(
    'Its access key; needed where BLOBS is minio.',
    optional(text('letters, digits and signs without a space', /^[\x21-\x7e]+$/)),
    '',
    {
      secret: true,
    },
  ),
  MINIO_SECRET_KEY: variable(
    'Its secret key; needed where BLOBS is minio.',
    optional(text('letters, digits and signs without a space', /^[\x21-\x7e]+$/)),
    '',
    {
      secret: true,
    },
  ),
  MINIO_BUCKET: variable(
    'The bucket for file data; made when missing.',
    text(
      '3 to 63 characters of a-z, 0-9, dot and hyphen, no address, and no dot beside a dot or a hyphen',
      /^(?!.*(?:\.\.|\.-|-\.))(?!\d+(?:\.\d+){3}$)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
    ),
    'publishing-service',
  ),
  IMAGING: variable(
    'What scales images: jimp, or sharp, which is faster and a package to be installed.',
    word('jimp', 'sharp'),
    'jimp',
  ),
  IMAGE_PIXELS: variable(
    'Most pixels of an image that is scaled.',
    integer(1, 1_000_000_000),
    String(defaultImageLimits.pixels),
  ),
  IMAGE_DERIVATIVES: variable(
    'Most scaled images that are kept of one file; then the least recently used goes.',
    integer(1, 10_000),
    String(defaultImageLimits.derivatives),
  ),
  SCALING_JOBS: variable(
    'Images scaled side by side; empty takes as many as cores and memory allow.',
    optional(integer(1, 256)),
    '',
  ),
  SCALING_QUEUE: variable(
    'Most images that wait to be scaled; one more is answered 503.',
    integer(0, 10_000),
    String(defaultImageLimits.queue),
  ),
  SCALING_SECONDS: variable('Most seconds to scale an image in.', integer(1, 3600), '30'),
  SCALING_MEMORY: variable(
    'Most memory to scale an image in, in MiB; empty shares half of the memory, up to 2048 each.',
    optional(integer(64, 65_536)),
    '',
  ),
  RATE_LIMIT: variable(
    'Whether rates of requests are limited: off, process, where each process counts for itself, or shared, where processes on the same store exchange their counts; empty is shared where STORE is mongodb, else process.',
    optional(word('off', 'process', 'shared')),
    '',
  ),
  RATE_LIMIT_KEY: variable(
    'Requests that are answered in a minute to an API key.',
    integer(1, 1_000_000_000),
    String(defaultRateLimits.key),
  ),
  RATE_LIMIT_ADDRESS: variable(
    'Requests that are answered in a minute to an address without a valid token.',
    integer(1, 1_000_000_000),
    String(defaultRateLimits.address),
  ),
  BOOTSTRAP_API_KEY: variable(
    'Admin key made on data without any key; later it changes nothing. Empty makes one up.',
    keyText('1 to 128', /^[\w-]{1,128}$/),
    '',
    { secret: true },
  ),
  BOOTSTRAP_API_SECRET: variable(
    'Its secret, read at that start only. Empty makes one up.',
    keyText('16 to 256', /^[\w-]{16,256}$/),
    '',
    { secret: true },
  ),
  BARE_LINKS: variable('Whether next and prev hold only the query string.', flag, 'false'),
  CORS_ORIGINS: variable(
    'Origins that browsers may call from, separated by commas, or *; empty for none.',
    origins,
    '',
  ),
  LOG_LEVEL: variable('error, warn, info or debug.', word('error', 'warn', 'info', 'debug'), 'info'),
  JSON_LIMIT: bytes('Size limit of JSON bodies', defaultJsonLimit),
  JSON_SECONDS: variable(
    'Most seconds that a JSON body may take from its first byte to its last.',
    integer(1, 1800),
    String(defaultJsonSeconds),
  ),
  CONNECTIONS_PER_ADDRESS: variable(
    'Most connections of an address that have carried no valid token; 0 for no limit.',
    integer(0, 1_000_000),
    '500',
  ),
  IMAGE_LIMIT: bytes('Size limit of image/* uploads', defaultUploadLimits.image),
  AUDIO_LIMIT: bytes('Size limit of audio/* uploads', defaultUploadLimits.audio),
  VIDEO_LIMIT: bytes('Size limit of video/* uploads', defaultUploadLimits.video),
  APPLICATION_LIMIT: bytes('Size limit of application/* uploads', defaultUploadLimits.application),
  OTHER_LIMIT: bytes('Size limit of all other uploads', defaultUploadLimits.other),
  ORPHAN_QUARANTINE_DAYS: variable(
    'Days for which file data that no file names is known before it is deleted; 0 deletes it once it is a day old.',
    integer(0, 3650),
    '7',
  ),
  RESPONSE_CACHE_BYTES: variable(
    'Memory for kept answers, in bytes; 0 keeps none.',
    integer(0, Number.MAX_SAFE_INTEGER),
    String(32 * mebibyte),
  ),
  STREAMING_HOSTS: variable(
    'Providers of external media: a JSON list of objects with `name`, `aliases` and `hosts`.',
    streamingHosts,
    JSON.stringify(defaultStreamingHosts),
    { fallbackWords: 'YouTube, Vimeo, SoundCloud' },
  ),
} as const

type ConfigurationTable = typeof configurationTable

/** The value of each variable. */
export type VariableValues = {
  readonly [N in keyof ConfigurationTable]: ConfigurationTable[N] extends Variable<infer A> ? A : never
}
