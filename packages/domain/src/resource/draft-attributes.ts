/** What a write sends, decoded by the attributes of its shape, without the rules between attributes. */
import { fault } from '../fault.js'
import { E } from '../fp.js'
import type { Json, JsonObject } from '../json.js'
import type { Reference, ValueContext } from '../value/value-type.js'
import type { AttributeTable } from './attribute.js'
import { decodeAttributes, type Draft, type WriteMode } from './decode-attributes.js'
import { tableEntries } from './table-entries.js'
import { attributesOf, type Shape } from './variant.js'

/** What was sent, the previous state, and the context. */
export type DraftInput = {
  readonly mode: WriteMode
  readonly input: JsonObject
  readonly previous: JsonObject | null
  readonly context: ValueContext
}

const writeAliases = (
  table: AttributeTable,
  draft: Draft,
  input: JsonObject,
  context: ValueContext,
): Draft => {
  let { state } = draft
  const faults = [...draft.faults]
  for (const [name, attribute] of tableEntries(table).alias) {
    if (!Object.hasOwn(input, name)) continue
    if ((input[attribute.instead] ?? null) !== null) continue
    const value = input[name] ?? null
    const result = value === null ? E.right(null) : attribute.type.decode(value, context)
    if (E.isRight(result)) state = attribute.assign(state, result.right)
    else faults.push(...result.left.map((each) => fault(name, each.message)))
  }
  return { ...draft, state, faults }
}

/** The variant of a write: that of the stored object, or else the one that is sent, by its name or an alias. */
const variantOf = (
  { attributes, variant }: Shape,
  input: JsonObject,
  previous: JsonObject | null,
  context: ValueContext,
): JsonObject => {
  const attribute = variant === undefined ? undefined : attributes[variant]
  if (variant === undefined || attribute?.kind !== 'stored') return {}
  const stored = previous?.[variant] ?? null
  if (stored !== null) return { [variant]: stored }
  const sent = attribute.type.decode(input[variant], context)
  return { [variant]: E.isRight(sent) ? sent.right : null }
}

/** Decodes the attributes of a shape, without the rules between attributes. */
export const draftAttributes = (
  shape: Shape,
  { mode, input, previous, context }: DraftInput,
  tolerates: (name: string, value: Json) => boolean = () => false,
): Draft => {
  const table = attributesOf(shape, variantOf(shape, input, previous, context))
  const known = context.strict
    ? Object.fromEntries(
        Object.entries(input).filter(
          ([name, value]) => Object.hasOwn(table, name) || !tolerates(name, value),
        ),
      )
    : input
  const draft = decodeAttributes(table, { mode, input: known, previous, context })
  return tableEntries(table).alias.length === 0 ? draft : writeAliases(table, draft, known, context)
}

/**
 * The references that a request supplied, also in partly faulty values, so that all faults are reported together
 * (docs/behaviour/writing.md#all-faults). Unchanged references are not checked again (docs/behaviour/writing.md#references).
 */
export const suppliedReferences = (
  shape: Shape,
  { state, faults, supplied, partial }: Draft,
): readonly Reference[] => {
  const reported = new Set(faults.map(({ path }) => path))
  const table = attributesOf(shape, state)
  const references = [...supplied, ...Object.keys(partial)].flatMap((name) => {
    const attribute = table[name]
    const value = partial[name] ?? state[name] ?? null
    if (attribute?.kind !== 'stored' || value === null) return []
    return (attribute.type.references?.(value) ?? []).map((each) => ({
      ...each,
      path: each.path === '' ? name : `${name}.${each.path}`,
    }))
  })
  return references.filter(({ path }) => !reported.has(path))
}
