/**
 * What a write sends, decoded by the attributes of its shape and merged into the previous state, without the rules between
 * attributes.
 */
import { fault, within, type Fault, firstPerPath } from '../fault.js'
import { E } from '../fp.js'
import { jsonEqual, type Json, type JsonObject, isJsonObject } from '../json.js'
import { repeatedMoment } from '../time/parse-date-time.js'
import type { Reference, ValueContext } from '../value/value-type.js'
import type { AttributeTable, Consistent, StateOf } from './attribute.js'
import { tableEntries, attributesOf, type Shape } from './attribute-tables.js'

export type WriteMode = 'put' | 'patch'

/** What was sent, the previous state, and the context. */
export type DraftInput = {
  readonly mode: WriteMode
  readonly input: JsonObject
  readonly previous: JsonObject | null
  readonly context: ValueContext
}

export type Draft = {
  /** Complete even if there are faults: a faulty attribute has its previous value. */
  readonly state: JsonObject
  readonly faults: readonly Fault[]
  /** The stored attributes for which the request has a value. */
  readonly supplied: ReadonlySet<string>
  /** The sent values of attributes of which only parts have faults: the references in the other parts are checked. */
  readonly partial: JsonObject
}

const isKnown = (table: AttributeTable, name: string): boolean => {
  const attribute = Object.hasOwn(table, name) ? table[name] : undefined
  return (
    attribute !== undefined &&
    attribute.kind !== 'computed' &&
    !(attribute.kind === 'stored' && attribute.internal)
  )
}

/**
 * Merges the attributes of a request into the previous state by the rules of the table (docs/behaviour/writing.md#ignored, docs/behaviour/writing.md#all-faults): PUT starts from the
 * defaults, PATCH from the previous state. Null means «not supplied» in a PUT and «cleared» in a PATCH.
 */
export const decodeAttributes = (table: AttributeTable, attempt: DraftInput): Draft => {
  const { mode, input, previous, context } = attempt
  const { stored, serviceSet, moments, blank } = tableEntries(table)
  // Created with all its attributes at once: rules copy states, and objects that grew by one property at a time are slow to copy.
  const state: Record<string, Json> = { ...blank }
  const faults: Fault[] = []
  const supplied = new Set<string>()
  const partial: Record<string, Json> = {}
  if (context.strict) {
    for (const name of Object.keys(input))
      if (!isKnown(table, name))
        faults.push(fault(name, 'unknown', 'is not an attribute that can be sent here'))
  }
  for (const [name, attribute] of stored) {
    const { initial = null } = attribute
    const isServiceSet = serviceSet.has(name)
    const sent = Object.hasOwn(input, name) && !isServiceSet ? input[name] : undefined
    const startsAtPrevious = mode === 'patch' || attribute.retained || isServiceSet
    state[name] = (startsAtPrevious ? previous?.[name] : undefined) ?? initial
    if (sent === undefined || (sent === null && mode === 'put')) {
      const isMade = attribute.madeFrom !== undefined && previous === null
      // Fixed attributes that keep their value need not be sent again.
      const isKept = attribute.fixed && attribute.retained && previous !== null
      if (attribute.required && !isServiceSet && mode === 'put' && !isMade && !isKept)
        faults.push(fault(name, 'required', 'is required'))
    } else if (sent === null) {
      if (attribute.required) faults.push(fault(name, 'required', 'is required and cannot be cleared'))
      else state[name] = initial
    } else if (previous !== null && jsonEqual(previous[name] ?? null, sent)) {
      // Unchanged values are not validated again: they could fail, such as a time after a change of the zone.
      state[name] = sent
      supplied.add(name)
    } else {
      const result = attribute.type.decode(sent, context)
      if (E.isLeft(result)) {
        faults.push(...within(name, result.left))
        if (result.left.every(({ path }) => path !== '')) partial[name] = sent
      } else if (attribute.fixed && previous !== null && previous[name] !== result.right)
        faults.push(fault(name, 'fixed', `cannot be changed; it is ${String(previous[name])}`))
      else {
        state[name] = result.right
        supplied.add(name)
      }
    }
  }
  for (const [name, of] of moments) {
    const sent = supplied.has(of) ? input[of] : undefined
    const isSame = jsonEqual(state[of] ?? null, previous?.[of] ?? null)
    if (typeof sent === 'string' && sent !== previous?.[of]) state[name] = repeatedMoment(sent, context.zone)
    else if (!isSame) state[name] = null
  }
  return { state, faults, supplied, partial }
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
    else faults.push(...result.left.map((each) => fault(name, each.code, each.message)))
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

/** Whether a value is an empty list of an attribute that variants without it accept so. */
const isEmptyElsewhere = ({ attributes }: Shape, name: string, value: Json): boolean => {
  const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined
  return (
    attribute?.kind === 'stored' &&
    attribute.emptyElsewhere === true &&
    Array.isArray(value) &&
    value.length === 0
  )
}

/** Decodes the attributes of a shape, without the rules between attributes. */
export const draftAttributes = (shape: Shape, { mode, input, previous, context }: DraftInput): Draft => {
  const table = attributesOf(shape, variantOf(shape, input, previous, context))
  const known = context.strict
    ? Object.fromEntries(
        Object.entries(input).filter(
          ([name, value]) => Object.hasOwn(table, name) || !isEmptyElsewhere(shape, name, value),
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
  const references: Reference[] = []
  for (const name of [...supplied, ...Object.keys(partial)]) {
    const attribute = table[name]
    const value = partial[name] ?? state[name] ?? null
    if (attribute?.kind !== 'stored' || attribute.type.references === undefined || value === null) continue
    for (const reference of within(name, attribute.type.references(value)))
      if (!reported.has(reference.path)) references.push(reference)
  }
  return references
}

interface ItemRules<S> {
  /** The name of the items in messages. */
  readonly plural: string
  check(state: S, context: ValueContext): readonly Fault[]
  /** Whether an item is returned: false if the target of a required reference is deleted (docs/behaviour/writing.md#deleted-targets). */
  isReturned?(view: S): boolean
}

/** Items that an object lists and that are written as a whole list: their attributes, and the rules between them. */
export type ItemShape = Shape & ItemRules<JsonObject>

/** Defines items whose rules are typed by their table. */
export const defineItems = <T extends AttributeTable>(
  shape: Omit<Shape, 'attributes'> & ItemRules<StateOf<T>> & { readonly attributes: T & Consistent<T> },
): ItemShape => shape

/** Decoded items, with every fault that follows from the items alone. Faulty items are left out. */
export type ItemsDraft = {
  readonly items: readonly JsonObject[]
  /** The references of all items, faulty ones included, so that missing targets are reported with the other faults. */
  readonly references: readonly Reference[]
  readonly faults: readonly Fault[]
}

const faulty = (...faults: readonly Fault[]): ItemsDraft => ({ items: [], references: [], faults })

/** Decodes one item. Paths of faults and references start with `path`. */
export const draftItem = (shape: ItemShape, input: unknown, context: ValueContext, path = ''): ItemsDraft => {
  if (!isJsonObject(input)) return faulty(fault(path, 'type', 'must be an object'))
  const draft = draftAttributes(shape, { mode: 'put', input, previous: null, context })
  const faults = firstPerPath([...draft.faults, ...shape.check(draft.state, context)])
  const references = suppliedReferences(shape, draft)
  return {
    items: faults.length > 0 ? [] : [draft.state],
    references: path === '' ? references : within(path, references),
    faults: path === '' ? faults : within(path, faults),
  }
}

/** Decodes a whole list, `{items: […]}`, of at most `most` items; `otherAttributes` are the other accepted attributes. */
export const draftItems = (
  shape: ItemShape,
  input: JsonObject,
  context: ValueContext,
  most: number,
  otherAttributes: readonly string[] = [],
): ItemsDraft => {
  const { items: list } = input
  const known = new Set(['items', ...otherAttributes])
  const unknown = context.strict ? Object.keys(input).filter((name) => !known.has(name)) : []
  const besides = unknown.map((name) => fault(name, 'unknown', 'is not an attribute that can be sent here'))
  if (!Array.isArray(list))
    return faulty(
      fault('items', list === undefined ? 'required' : 'type', `is required: a list of ${shape.plural}`),
      ...besides,
    )
  if (list.length > most)
    return faulty(fault('items', 'length', `must contain at most ${most} ${shape.plural}`), ...besides)
  const drafts = list.map((each: unknown, index) => {
    const path = `items.${index}`
    const item = shape.otherForms === undefined ? each : shape.otherForms.read(each)
    return item === null
      ? faulty(fault(path, 'type', `must be ${shape.otherForms?.what ?? 'an object'}`))
      : draftItem(shape, item, context, path)
  })
  return {
    items: drafts.flatMap(({ items }) => items),
    references: drafts.flatMap(({ references }) => references),
    faults: [...drafts.flatMap(({ faults }) => faults), ...besides],
  }
}
