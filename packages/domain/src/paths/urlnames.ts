/** Urlnames that writes make of other texts (docs/behaviour/writing.md#urlname). */
import { E } from '../fp.js'
import type { Json, JsonObject } from '../json.js'
import type { AttributeTable } from '../resource/attribute.js'
import type { DraftInput } from '../resource/draft-attributes.js'
import { slugOf, urlnameOf } from '../value/fold.js'
import { maxUrlname, text } from '../value/text.js'

const convertible = text({ max: maxUrlname })

/**
 * What a write was sent, with urlnames in place of other texts that were sent for them, unless handling is strict. A value
 * that the object has stays, as in `decodeAttributes`.
 */
export const withUrlnames = (
  table: AttributeTable,
  { input, previous, context }: Pick<DraftInput, 'input' | 'previous' | 'context'>,
): JsonObject => {
  const made: Record<string, Json> = {}
  for (const [name, sent] of Object.entries(input)) {
    const attribute = Object.hasOwn(table, name) ? table[name] : undefined
    if (attribute?.kind !== 'stored' || attribute.type.madeFromText !== 'urlname') continue
    if (sent === previous?.[name] || E.isRight(attribute.type.decode(sent, context))) continue
    const read = convertible.decode(sent, context)
    if (E.isRight(read)) made[name] = urlnameOf(read.right).slice(0, maxUrlname)
  }
  return { ...input, ...made }
}

/** Number of names that are tried together. */
const batchSize = 50

/**
 * A batch of the urlnames to try for a draft, which are endless: the slug of its title, then the same with -1, -2 … The
 * name of the resource replaces a title without a letter or digit.
 */
export const urlnamesFor = (
  { attributes, name }: { readonly attributes: AttributeTable; readonly name: string },
  state: JsonObject,
  batch: number,
): readonly string[] => {
  const attribute = attributes['urlname']
  const made = attribute?.kind === 'stored' ? (attribute.madeFrom?.(state) ?? '') : ''
  const slug = slugOf(made) || slugOf(name)
  return Array.from({ length: batchSize }, (_, index) => {
    const number = batch * batchSize + index
    return number === 0 ? slug : `${slug}-${number}`
  })
}
