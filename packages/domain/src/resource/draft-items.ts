import { fault, firstPerPath, within, type Fault } from '../fault.js'
import { E, type Either } from '../fp.js'
import { isJsonObject, type JsonObject } from '../json.js'
import type { Reference, ValueContext } from '../value/value-type.js'
import { draftAttributes, suppliedReferences } from './draft-write.js'
import type { Shape } from './variant.js'

/** What is listed in an object and written with the whole list: its attributes, and the rules between them. */
export type ItemShape = Shape & {
  /** What an item is called where a list of them is missing. */
  readonly plural: string
  check(state: JsonObject, context: ValueContext): readonly Fault[]
}

export type ItemDraft = { readonly item: JsonObject; readonly references: readonly Reference[] }
export type ItemsDraft = { readonly items: readonly JsonObject[]; readonly references: readonly Reference[] }

/** One item off the wire. Paths of faults and references start with `path`, where one is given. */
export const draftItem = (
  shape: ItemShape,
  input: unknown,
  context: ValueContext,
  path: string,
): Either<readonly Fault[], ItemDraft> => {
  if (!isJsonObject(input)) return E.left([fault(path, 'must be an object')])
  const draft = draftAttributes(shape, { mode: 'put', input, previous: null, context })
  const faults = firstPerPath([...draft.faults, ...shape.check(draft.state, context)])
  if (faults.length > 0) return E.left(path === '' ? faults : within(path, faults))
  const references = suppliedReferences(shape, draft).map((each) => ({
    ...each,
    path: path === '' ? each.path : `${path}.${each.path}`,
  }))
  return E.right({ item: draft.state, references })
}

/** A whole list off the wire: `{items: […]}`. */
export const draftItems = (
  shape: ItemShape,
  { items: list }: JsonObject,
  context: ValueContext,
): Either<readonly Fault[], ItemsDraft> => {
  if (!Array.isArray(list)) return E.left([fault('items', `is required: a list of ${shape.plural}`)])
  const drafts = list.map((each: unknown, index) => draftItem(shape, each, context, `items.${index}`))
  const faults = drafts.flatMap((draft) => (E.isLeft(draft) ? draft.left : []))
  if (faults.length > 0) return E.left(faults)
  const right = drafts.flatMap((draft) => (E.isRight(draft) ? [draft.right] : []))
  return E.right({
    items: right.map(({ item }) => item),
    references: right.flatMap(({ references }) => references),
  })
}
