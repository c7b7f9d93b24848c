import type { JsonObject } from '../json.js'
import type { Resource } from '../resource/resource.js'
import { attributeIn } from '../resource/table-entries.js'
import { placeAttributes } from './public-path.js'
import { slugOf } from './slug.js'

/** Number of names that are tried together. */
const batch = 50

/** Whether a draft has no urlname, so that one is made from its title (docs/behaviour/writing.md#urlname-from-title). */
export const lacksUrlname = ({ attributes }: Resource, state: JsonObject): boolean => {
  const { urlname } = attributes
  return (
    urlname?.kind === 'stored' &&
    urlname.madeFrom !== undefined &&
    attributeIn(placeAttributes, 'urlname', state) === null
  )
}

/**
 * The urlnames to try for a draft, in order, in endless batches: the slug of its title, then the same with -1, -2 … The
 * name of the resource replaces a title without a letter or digit.
 */
export function* urlnamesFor(
  { attributes, name }: Resource,
  state: JsonObject,
): Generator<readonly string[]> {
  const { urlname } = attributes
  const made = urlname?.kind === 'stored' ? (urlname.madeFrom?.(state) ?? '') : ''
  const slug = slugOf(made) || slugOf(name)
  for (let first = 0; ; first += batch)
    yield Array.from({ length: batch }, (_, index) =>
      first + index === 0 ? slug : `${slug}-${first + index}`,
    )
}
