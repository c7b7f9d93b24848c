import { fault, firstPerPath, within, type Fault } from '../fault.js'
import { isJsonObject, type JsonObject } from '../json.js'
import type { Reference, ValueContext } from '../value/value-type.js'
import type { AttributeTable, Consistent, StateOf } from './attribute.js'
import { draftAttributes, suppliedReferences } from './draft-attributes.js'
import type { Shape } from './variant.js'

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
