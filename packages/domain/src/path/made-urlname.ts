import type { JsonObject } from '../json.js'
import type { DeclaredResource } from '../resource/resource.js'
import { slugOf } from '../value/fold.js'

/** Number of names that are tried together. */
const batchSize = 50

/**
 * A batch of the urlnames to try for a draft, which are endless: the slug of its title, then the same with -1, -2 … The
 * name of the resource replaces a title without a letter or digit.
 */
export const urlnamesFor = (
  { attributes, name }: DeclaredResource,
  state: JsonObject,
  batch: number,
): readonly string[] => {
  const { urlname } = attributes
  const made = urlname?.kind === 'stored' ? (urlname.madeFrom?.(state) ?? '') : ''
  const slug = slugOf(made) || slugOf(name)
  return Array.from({ length: batchSize }, (_, index) => {
    const number = batch * batchSize + index
    return number === 0 ? slug : `${slug}-${number}`
  })
}
