import type * as t from 'io-ts'
import { fault, type Fault, type FaultCode } from '../fault.js'
import { E, pipe, type Either } from '../fp.js'
import type { Json } from '../json.js'
import type { Schema } from './schema.js'

/** A provider that external media may link to (docs/behaviour/slots-and-media.md#streaming-hosts). A deployment may configure its own table. */
export type StreamingHost = {
  /** The name on the wire: video_host_1, video_host_2, audio_host_1. */
  readonly name: string
  /** Other names that clients may send; stored as `name`. */
  readonly aliases: readonly string[]
  /** Host names that `url` may have; a leading dot matches every subdomain. */
  readonly hosts: readonly string[]
}

export const defaultStreamingHosts: readonly StreamingHost[] = [
  {
    name: 'video_host_1',
    aliases: ['youtube'],
    hosts: ['youtube.com', '.youtube.com', 'youtu.be', '.youtube-nocookie.com'],
  },
  { name: 'video_host_2', aliases: ['vimeo'], hosts: ['vimeo.com', '.vimeo.com'] },
  { name: 'audio_host_1', aliases: ['soundcloud'], hosts: ['soundcloud.com', '.soundcloud.com', 'snd.sc'] },
]

// Browsers read a backslash as a slash, so it ends the host.
const hostOf = (url: string): string | null =>
  /^https?:\/\/(?:[^/?#@\\]*@)?([^/?#:@\\]+)(?::\d+)?(?:[/?#\\]|$)/i.exec(url)?.[1]?.toLowerCase() ?? null

/** Whether the address is one of the provider's. */
export const isHostedBy = (provider: StreamingHost, url: string): boolean => {
  const host = hostOf(url)
  return (
    host !== null &&
    provider.hosts.some((pattern) => (pattern.startsWith('.') ? host.endsWith(pattern) : host === pattern))
  )
}

/** What decoding a value depends on: the instance's time zone and the deployment's streaming hosts. */
export type ValueContext = {
  readonly zone: string
  readonly streamingHosts: readonly StreamingHost[]
  /**
   * Whether unknown attributes and other forms of values are faults
   * (docs/behaviour/writing.md#strict-handling, docs/behaviour/writing.md#other-forms).
   */
  readonly strict: boolean
}

/** A reference to an object. `media`: the target must be a file with data of this MIME type group. */
export type Reference = {
  readonly path: string
  readonly collection: string
  readonly id: string
  readonly media?: 'image' | 'audio'
  /** Identifies the object by a unique key instead; `id` is then only the name under which the result is stored. */
  readonly by?: { readonly key: string; readonly value: string }
}

/** The schemas of a value as it is sent and as it is read, built from the schemas of its parts. */
export const schemasOf = (
  make: (schemaOf: (part: ValueType) => Schema) => Schema,
): Pick<ValueType, 'schema' | 'inputSchema' | 'outputSchema'> => ({
  schema: make(({ schema }) => schema),
  inputSchema: make(({ schema, inputSchema = schema }) => inputSchema),
  outputSchema: make(({ schema, outputSchema = schema }) => outputSchema),
})

/**
 * The kind of key that a value is in queries. `texts` is a list of texts, `intervals` one of texts `start end`
 * (`TextRange.endsAbove`).
 */
export type QueryKey = 'text' | 'number' | 'boolean' | 'texts' | 'intervals'

export type IsAlive = (reference: Reference) => boolean

/** How one kind of value is decoded, described, searched for references and returned. */
export type ValueType<A extends Json = Json> = {
  readonly schema: Schema
  /** The schema of what may be sent, if that is more than `schema`. */
  readonly inputSchema?: Schema
  /** The schema of what is returned, if that is less than `schema`. */
  readonly outputSchema?: Schema
  /** Its type in each variant of its object, if they differ. */
  readonly variants?: Readonly<Record<string, ValueType<A>>>
  /** The kind of key that it is in queries. */
  readonly key?: QueryKey
  /** Whether a stored value is of the type, where the schema does not say. */
  readonly isStored?: (value: Json) => boolean
  /** Whether it is the UUID of an API user, which another deployment does not have. */
  readonly namesUser?: true
  /** The collections that references within it can lead to. */
  readonly targets?: readonly string[]
  readonly decode: (value: unknown, context: ValueContext) => Either<readonly Fault[], A>
  /**
   * What a write of a resource makes of a text that its attribute is sent and that the type does not accept, unless
   * handling is strict (`urlnames.ts`). It is not a part of `decode`, because declarations would contain the letters of all
   * scripts.
   */
  readonly madeFromText?: 'urlname'
  /** The references within a value, with their paths. The value may have faults; parts that are no reference are skipped. */
  readonly references?: (value: Json) => readonly Reference[]
  /** The stored value as it is returned, if that differs: null in place of a deleted target, or the item left out. */
  readonly resolve?: (value: Json, isAlive: IsAlive) => Json
}

/** The result of decoding a value that is not accepted. */
export const refused = (code: FaultCode, message: string): Either<readonly Fault[], never> =>
  E.left([fault('', code, message)])

/** A value that is decoded without context. */
export const plain = <A extends Json>(
  key: 'text' | 'number' | 'boolean',
  schema: Schema,
  decode: (value: unknown) => Either<readonly Fault[], A>,
): ValueType<A> => ({ schema, key, decode })

/**
 * The type with further input forms, which `read` converts to the canonical form. They are accepted unless handling is
 * strict (docs/behaviour/writing.md#other-forms); values are always returned in canonical form. `inputSchema` is absent
 * where the document names the canonical form alone: with a number as an alternative to every text, generated clients would have unions.
 */
export const alsoTaking = <A extends Json>(
  type: ValueType<A>,
  read: (value: unknown) => unknown,
  inputSchema?: Schema,
): ValueType<A> => ({
  ...type,
  ...(inputSchema === undefined ? {} : { inputSchema }),
  decode: (value, context) => type.decode(context.strict ? value : read(value), context),
})

/** The values of a type that have no fault of a rule. */
export const refined = <A extends Json>(
  type: ValueType<A>,
  faultIn: (value: A) => Fault | null,
): ValueType<A> => ({
  ...type,
  decode: (value, context) =>
    pipe(
      type.decode(value, context),
      E.chain((read) => {
        const found = faultIn(read)
        return found === null ? E.right(read) : E.left([found])
      }),
    ),
})

/**
 * A value whose type depends on the variant of its object, such as a reference to one of several kinds of object. If
 * the variant is unknown, it is decoded by `base`.
 */
export const byVariant = <A extends Json>(
  base: ValueType<A>,
  variants: Readonly<Record<string, ValueType<A>>>,
): ValueType<A> => ({
  ...base,
  targets: Object.values(variants).flatMap(({ targets = [] }) => targets),
  variants,
})

/** An object of which separate rules, or an adapter, know the parts. */
export const opaque = <A extends Json>(
  codec: t.Type<A, A, unknown>,
  links: Pick<ValueType, 'targets' | 'references' | 'resolve'> = {},
): ValueType<A> => ({
  ...links,
  schema: { type: 'object' },
  isStored: codec.is,
  decode: (value) => (codec.is(value) ? E.right(value) : refused('type', 'must be an object')),
})
