import type * as t from 'io-ts'
import {
  type ClaimRole,
  claimRolesOf,
  defaultAuditDays,
  secondFactors,
  unknownPeople,
} from '@publishing-service/access'
import { defaultRetainedVersions } from '@publishing-service/domain/changes'
import { codecOf, E } from '@publishing-service/domain/fp'
import { isJsonObject } from '@publishing-service/domain/json'
import { defaultStreamingHosts, type StreamingHost } from '@publishing-service/domain/declare'
import { defaultUploadLimits } from '@publishing-service/domain/files'
import { defaultImageLimits } from '@publishing-service/domain/images'
import { defaultRateLimits } from '@publishing-service/access'
import { defaultJsonLimit, defaultJsonSeconds } from '@publishing-service/http-contract'
import { mostWorkers, workerCountOf } from './workers/worker-count.js'

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
export const documentStoreNames = ['sqlite', 'postgresql', 'mongodb', 'memory'] as const
export const blobStoreNames = ['filesystem', 'minio', 'memory'] as const

/** What STORE and BLOBS name a store of a package by. */
export const packagePrefix = 'package:'

// The names that npm accepts: https://docs.npmjs.com/cli/configuring-npm/package-json#name
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
  const list = (typeof value === 'string' ? value.split(',') : [])
    .map((each) => each.trim())
    .filter((each) => each !== '')
  return list.every((each) => each === '*' || /^https?:\/\/[^\s/,]+$/.test(each))
    ? E.right(list)
    : E.left('must be origins such as https://www.example.org, separated by commas, or *')
})

const claimRoles = codecOf<readonly ClaimRole[]>('roles by claims', (value) =>
  claimRolesOf(typeof value === 'string' ? value : '?'),
)

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

const variable = <A>(
  description: string,
  codec: t.Type<A, A, unknown>,
  fallback: string | null,
  options: Pick<Variable<A>, 'secret' | 'fallbackWords'> = {},
): Variable<A> => ({ description, codec, fallback, ...options })

/** A variable that is null if it is not set, or empty. */
const optional = <A>(
  description: string,
  codec: t.Type<A, A, unknown>,
  options: Pick<Variable<A | null>, 'secret'> = {},
) =>
  variable(
    description,
    codecOf<A | null>(codec.name, (value) => {
      if (value === '') return E.right(null)
      const result = codec.decode(value)
      return E.isRight(result) ? result : E.left(result.left[0]?.message ?? 'is not valid')
    }),
    '',
    options,
  )

const mebibyte = 1024 * 1024

/** The least UNSENT_BYTES of a process. */
export const leastUnsentBytes = 16 * mebibyte

/** A whole number. */
const count = (description: string, [min, max]: readonly [min: number, max: number], fallback: number) =>
  variable(description, integer(min, max), String(fallback))

const rate = (description: string, fallback: number) => count(description, [1, 1_000_000_000], fallback)

/** Loopback hosts need no encryption. */
const encryptedAddress = (example: string) =>
  text(
    `an address such as ${example}; http: is for localhost only`,
    /^(?:https:\/\/[^\s/?#@]+|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?)(?:\/[^\s?#]*)?$/,
  )

const collectorAddress = text(
  'an address such as http://localhost:4318, without a query',
  /^https?:\/\/[^\s/?#@]+(?:\/[^\s?#]*)?$/,
)

/** Names with values, as OpenTelemetry writes them in variables. */
const pairs = codecOf<Readonly<Record<string, string>>>('pairs', (value) => {
  const wanted = 'must be name=value, separated by commas, with values percent-encoded'
  const list = (typeof value === 'string' ? value : '=').split(',').filter((each) => each.trim() !== '')
  try {
    const found = list.map((each): readonly [string, string] => {
      const at = each.indexOf('=')
      return [each.slice(0, Math.max(0, at)).trim(), decodeURIComponent(each.slice(at + 1).trim())]
    })
    return found.every(([name]) => /^[!#$%&'*+.^_`|~\w-]+$/.test(name))
      ? E.right(Object.fromEntries(found))
      : E.left(wanted)
  } catch (error) {
    if (error instanceof URIError) return E.left(wanted)
    throw error
  }
})

const fraction = codecOf<number>('fraction', (value) =>
  typeof value === 'string' && /^(?:0?\.\d+|[01](?:\.0*)?|0\.\d*)$/.test(value) && Number(value) <= 1
    ? E.right(Number(value))
    : E.left('must be a number from 0 to 1'),
)

const sizeLimit = (what: string, fallback: number) =>
  count(
    `Size limit of ${what}, in bytes; the default is ${fallback / mebibyte} MiB.`,
    [1, Number.MAX_SAFE_INTEGER],
    fallback,
  )

const isOn = (description: string, fallback: 'true' | 'false') => variable(description, flag, fallback)

const minioKey = text('printable ASCII characters without spaces', /^[\x21-\x7e]+$/)

const keyText = (length: string, pattern: RegExp) =>
  text(`${length} characters of A-Z, a-z, 0-9, underscore and hyphen`, pattern)

/** All variables of the service. The table in docs/configuration.md and the messages at start-up are generated from it. */
export const configurationTable = {
  HOST: variable(
    'Address to listen on, or the path of a Unix socket, which a proxy uses.',
    text(
      'a host name or address, or the path of a socket, at most 103 characters of A-Z, a-z, 0-9 and ./_-+,:@~',
      /^(?:[\w.:-]+|\/[\w./+,:@~-]{0,101}[\w.+,:@~-])$/,
    ),
    '127.0.0.1',
  ),
  PORT: count(
    'Port to listen on; 0 selects a free one. It has no meaning if HOST is a path.',
    [0, 65_535],
    8080,
  ),
  WORKERS: variable(
    'Number of processes that serve requests, or auto for one on each core. With more than 1, they share the port, and limits that are not said to be those of one are divided among them.',
    codecOf<number>('workers', (value) => {
      const found = typeof value === 'string' ? workerCountOf(value) : null
      return found === null
        ? E.left(`must be auto, or a whole number from 1 to ${mostWorkers}`)
        : E.right(found)
    }),
    '1',
  ),
  SHUTDOWN_DELAY: count(
    'Seconds after SIGTERM for which the service goes on, while /health/ready is 503, so that load balancers stop sending requests.',
    [0, 300],
    0,
  ),
  BASE_URL: optional(
    'Public address for all links. Without it, links use the address of each request.',
    baseAddress,
  ),
  TRUST_PROXY: isOn('Whether to trust the X-Forwarded-* headers, because a proxy sets them.', 'false'),
  DATA_DIR: variable(
    'Folder of the embedded stores; created if missing.',
    text('a path', /^[^\0]+$/),
    './data',
  ),
  STORE: variable(
    'Store of documents: sqlite, postgresql, mongodb, memory, or package: followed by the name of an installed npm package.',
    storeName(documentStoreNames),
    'sqlite',
  ),
  BLOBS: variable(
    'Store of file data: filesystem, minio, memory, or package: followed by the name of an installed npm package.',
    storeName(blobStoreNames),
    'filesystem',
  ),
  POSTGRESQL_URL: optional(
    'Connection string of PostgreSQL, with the database in the path; required if STORE is postgresql.',
    text('a connection string that begins with postgresql:// or postgres://', /^postgres(ql)?:\/\/\S+$/),
    { secret: true },
  ),
  POSTGRESQL_NOTIFY: isOn(
    'Whether processes on one PostgreSQL notify each other of writes, so that they are seen at once despite caches.',
    'true',
  ),
  MONGODB_URL: optional(
    'Connection string of MongoDB, with the database in the path; required if STORE is mongodb.',

    text('a connection string that begins with mongodb:// or mongodb+srv://', /^mongodb(\+srv)?:\/\/\S+$/),
    { secret: true },
  ),
  MINIO_URL: optional(
    'Address of MinIO or another S3-compatible server; required if BLOBS is minio.',
    text('an address such as https://minio.example.org:9000', /^https?:\/\/[^\s/?#@]+\/?$/),
  ),
  MINIO_ACCESS_KEY: optional('Access key of that server; required if BLOBS is minio.', minioKey, {
    secret: true,
  }),
  MINIO_SECRET_KEY: optional('Secret key of that server; required if BLOBS is minio.', minioKey, {
    secret: true,
  }),
  MINIO_BUCKET: variable(
    'Bucket for file data; created if missing.',
    text(
      '3 to 63 characters of a-z, 0-9, dot and hyphen, not an IP address, and no dot next to a dot or hyphen',
      /^(?!.*(?:\.\.|\.-|-\.))(?!\d+(?:\.\d+){3}$)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
    ),
    'publishing-service',
  ),
  IMAGING: variable(
    'Library that scales images: jimp, or sharp, which is faster and must be installed.',
    word('jimp', 'sharp'),
    'jimp',
  ),
  IMAGE_PIXELS: count(
    'Maximum number of pixels of an image that is scaled.',
    [1, 1_000_000_000],
    defaultImageLimits.pixels,
  ),
  IMAGE_DERIVATIVES: count(
    'Maximum number of scaled images that are stored per file. Beyond it, the least recently used is deleted.',
    [1, 10_000],
    defaultImageLimits.derivatives,
  ),
  SCALING_JOBS: optional(
    'Number of images scaled at the same time. Without it, as many as cores and memory allow.',
    integer(1, 256),
  ),
  SCALING_QUEUE: count(
    'Maximum number of images that wait to be scaled. Beyond it, requests get 503.',
    [0, 10_000],
    defaultImageLimits.queue,
  ),
  SCALING_SECONDS: count('Maximum time to scale an image, in seconds.', [1, 3600], 30),
  SCALING_MEMORY: optional(
    'Maximum memory to scale an image, in MiB. Without it, an equal part of half of the memory, at most 2048.',
    integer(64, 65_536),
  ),
  RATE_LIMIT: optional(
    'Rate limits: off, process (each process counts separately), or shared (processes on the same store exchange counts). Without it, shared if STORE is postgresql or mongodb, or WORKERS is more than 1, else process.',
    word('off', 'process', 'shared'),
  ),
  RATE_LIMIT_KEY: rate('Requests per minute for an API user, with all of its keys.', defaultRateLimits.key),
  RATE_LIMIT_ADDRESS: rate(
    'Requests per minute for an address without a valid token: sign-ins, documentation, wrong tokens.',
    defaultRateLimits.address,
  ),
  RATE_LIMIT_PUBLIC: rate(
    'Requests per minute for an address without a token on an instance: what settings open, such as pictures and feeds.',
    defaultRateLimits.public,
  ),
  RATE_LIMIT_COMMENTS: rate(
    'Comments of visitors per minute for an address without a token.',
    defaultRateLimits.comments,
  ),
  RATE_LIMIT_SCALING: rate(
    'New scaled images per minute for an address without a token. Stored ones count as downloads only.',
    defaultImageLimits.newForAddress,
  ),
  BOOTSTRAP_API_KEY: optional(
    'Admin key that is created if the data has no key. Without it, the key is random.',
    keyText('1 to 128', /^[\w-]{1,128}$/),
    { secret: true },
  ),
  BOOTSTRAP_API_SECRET: optional(
    'Secret of that key. Without it, the secret is random.',
    keyText('16 to 256', /^[\w-]{16,256}$/),
    { secret: true },
  ),
  BARE_LINKS: isOn('Whether next and prev contain only the query string.', 'false'),
  CORS_ORIGINS: variable(
    'Origins whose pages may call the API from a browser, separated by commas, or * for all. Without it, none.',
    origins,
    '',
  ),
  LOG_LEVEL: variable(
    'Least severe level to log: error, warn, info or debug.',
    word('error', 'warn', 'info', 'debug'),
    'info',
  ),
  SLOW_REQUEST: count(
    'Milliseconds from which a request is logged as slow, with what it has waited for; 0 for none.',
    [0, 3_600_000],
    0,
  ),
  METRICS_PORT: optional(
    'Port of the metrics for Prometheus, at /metrics on the address of HOST; 0 selects a free one. Without it, none are collected.',
    integer(0, 65_535),
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(
    'Address of a collector of OpenTelemetry, to which traces are sent by OTLP over HTTP, such as http://localhost:4318. Without it, none are made.',
    collectorAddress,
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: optional(
    'The whole address for traces, in place of that address with /v1/traces.',
    collectorAddress,
  ),
  OTEL_EXPORTER_OTLP_HEADERS: optional(
    'Headers for the collector, as `name=value`, separated by commas, with values percent-encoded.',
    pairs,
    { secret: true },
  ),
  OTEL_SERVICE_NAME: variable(
    'Name of the service in traces.',
    text('1 to 255 printable ASCII characters', /^[\x20-\x7e]{1,255}$/),
    'publishing-service',
  ),
  OTEL_RESOURCE_ATTRIBUTES: variable(
    'Attributes of the service in traces, as `deployment.environment.name=production`, separated by commas, with values percent-encoded.',
    pairs,
    '',
  ),
  OTEL_TRACES_SAMPLER: variable(
    'Which traces are recorded: always_on, always_off, traceidratio, or, where the client has not decided it, parentbased_always_on, parentbased_always_off, parentbased_traceidratio.',
    word(
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ),
    'parentbased_always_on',
  ),
  OTEL_TRACES_SAMPLER_ARG: variable(
    'Part of the traces that is recorded by traceidratio and parentbased_traceidratio, from 0 to 1.',
    fraction,
    '1',
  ),
  OTEL_BSP_SCHEDULE_DELAY: count(
    'Milliseconds between two transmissions of traces to the collector.',
    [1, 3_600_000],
    5000,
  ),
  OTEL_SDK_DISABLED: isOn('Whether no traces are made, although a collector is set.', 'false'),
  JSON_LIMIT: sizeLimit('JSON bodies', defaultJsonLimit),
  JSON_SECONDS: count('Maximum time to receive a JSON body, in seconds.', [1, 1800], defaultJsonSeconds),
  CONNECTIONS_PER_ADDRESS: count(
    'Maximum number of connections per address without a valid token; 0 for no limit.',
    [0, 1_000_000],
    500,
  ),
  IMAGE_LIMIT: sizeLimit('image/* uploads', defaultUploadLimits.image),
  AUDIO_LIMIT: sizeLimit('audio/* uploads', defaultUploadLimits.audio),
  VIDEO_LIMIT: sizeLimit('video/* uploads', defaultUploadLimits.video),
  APPLICATION_LIMIT: sizeLimit('application/* uploads', defaultUploadLimits.application),
  OTHER_LIMIT: sizeLimit('all other uploads', defaultUploadLimits.other),
  ORPHAN_QUARANTINE_DAYS: count(
    'Days in quarantine before orphaned file data is deleted. 0 deletes it when it is a day old.',
    [0, 3650],
    7,
  ),
  TRASH_DAYS: count(
    'Days for which a deleted object is in the trash and can be restored. 0 deletes it at once.',
    [0, 400],
    30,
  ),
  REPLACED_DATA_DAYS: count(
    'Days for which the replaced data of a file is retained, so that an earlier version can be restored with it. 0 deletes it at once.',
    [0, 400],
    30,
  ),
  VERSIONS_KEPT: count(
    'Versions of an object that are retained, the present one included.',
    [1, 1000],
    defaultRetainedVersions,
  ),
  AUDIT_DAYS: count(
    'Days for which entries of the audit log, and with them versions, are retained.',
    [1, 3650],
    defaultAuditDays,
  ),
  BACKUP_TO: optional(
    'Where backups are: a folder, or the address of a bucket of an S3-compatible server, such as https://minio.example.org/backups.',
    text(
      'a path, or an address such as https://minio.example.org/backups',
      /^(?!https?:)[^\0]+$|^https?:\/\/[^\s/?#@]+\/[a-z0-9.-]{3,63}\/?$/,
    ),
  ),
  BACKUP_ACCESS_KEY: optional('Access key of the server in BACKUP_TO.', minioKey, { secret: true }),
  BACKUP_SECRET_KEY: optional('Secret key of the server in BACKUP_TO.', minioKey, { secret: true }),
  BACKUP_ENCRYPTION_KEY: optional(
    'Encrypts backups: a secret key of age, as `backup key` prints it. Without it, they are not encrypted.',
    text('a secret key of age, which begins with AGE-SECRET-KEY-1', /^AGE-SECRET-KEY-1[0-9A-Z]{58}$/),
    { secret: true },
  ),
  BACKUP_EVERY: optional(
    'Hours between two backups that the service makes. Without it, only the command makes them.',
    integer(1, 8760),
  ),
  BACKUP_KEEP: count(
    'Backups that are retained; older ones are removed after each new one.',
    [1, 10_000],
    14,
  ),
  WEBHOOKS_ALLOW_PRIVATE: isOn(
    'Whether web hooks may lead to private, loopback and link-local addresses, and to http.',
    'false',
  ),
  SECOND_FACTOR: variable(
    'Whether people who sign in with a password need one-time codes: optional, or required. A passkey is two factors.',
    word(...secondFactors),
    'optional',
  ),
  SMTP_URL: optional(
    'Mail server that the service sends mail with. smtp: encrypts by STARTTLS, which a password requires.',
    text(
      'an address such as smtps://user:password@mail.example.org, in which other characters than A-Z, a-z, 0-9, dot, underscore and hyphen are percent-encoded',
      /^smtps?:\/\/(?:(?:[\w.~-]|%[0-9a-f]{2})+:(?:[\w.~-]|%[0-9a-f]{2})+@)?(?:[\w.-]+|\[[0-9a-f:]+\])(?::\d{1,5})?\/?$/i,
    ),
    { secret: true },
  ),
  MAIL_FROM: optional(
    'Sender of that mail.',
    text(
      'an address such as cms@example.org, or The Daily Example <cms@example.org>',
      /^(?:[^\p{Cc}<>@,;:"\\]+ <[^\s@<>,;:"\\]+@[\w.-]+>|[^\s@<>,;:"\\]+@[\w.-]+)$/u,
    ),
  ),
  OIDC_ISSUER: optional(
    'Provider of OpenID Connect that people sign in with, as it names itself.',
    encryptedAddress('https://id.example.org/realms/news'),
  ),
  OIDC_CLIENT_ID: optional(
    'Name of the service at the provider.',
    text('1 to 255 printable ASCII characters', /^[\x20-\x7e]{1,255}$/),
  ),
  OIDC_CLIENT_SECRET: optional(
    'Secret of the service at the provider.',
    text('1 to 1000 printable ASCII characters', /^[\x20-\x7e]{1,1000}$/),
    { secret: true },
  ),
  OIDC_SCOPES: variable(
    'Scopes to request from the provider, separated by spaces.',
    text(
      'words separated by spaces, openid among them',
      /^(?=(?:.* )?openid(?: |$))[\x21-\x7e]+(?: [\x21-\x7e]+)*$/,
    ),
    'openid profile email',
  ),
  OIDC_BUTTON: optional(
    'Text of the button that leads to the provider. Without it, its host.',
    text('1 to 60 characters', /^[^\p{Cc}]{1,60}$/u),
  ),
  OIDC_ROLES: variable(
    'Roles by claims of the provider, as `claim:value=instance/role` or `claim:value=operator`, separated by commas. Without it, the provider decides about no roles.',
    claimRoles,
    '',
  ),
  OIDC_UNKNOWN: variable(
    'What becomes of people without an account: refuse; create makes one; match-email finds one with the same address, if the provider has verified it and it is confirmed here.',
    word(...unknownPeople),
    'refuse',
  ),
  COMPRESSION: isOn('Whether JSON, feeds and pages are compressed for clients that accept it.', 'true'),
  RESPONSE_CACHE_BYTES: count(
    'Memory of the response cache, in bytes; 0 disables it.',
    [0, Number.MAX_SAFE_INTEGER],
    32 * mebibyte,
  ),
  UNSENT_BYTES: count(
    'Memory of responses that wait until their clients read them, in bytes; above it, further ones are 503.',
    [leastUnsentBytes, Number.MAX_SAFE_INTEGER],
    128 * mebibyte,
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
