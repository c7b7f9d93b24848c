import { createHash, hash } from 'node:crypto'
import type { Json, JsonObject } from '@publishing-service/domain'
import type { Precondition } from '@publishing-service/application'
import { asciiJsonPieces, entityTags } from '@publishing-service/http-contract'

/** A strong validator: equal bytes, equal tags. */
export const entityTag = (body: string | Buffer): string => `"${hash('sha1', body, 'base64url')}"`

/** The tag of the body in which this value is sent. */
const tagOfValue = (value: Json): string => {
  const sum = createHash('sha1')
  for (const piece of asciiJsonPieces(JSON.stringify(value))) sum.update(piece)
  return `"${sum.digest('base64url')}"`
}

const weakless = (tag: string): string => tag.replace(/^W\//, '')

/** Whether If-None-Match has the tag of the response, so that 304 is sent. */
export const isUnchanged = (ifNoneMatch: string | undefined, tag: string): boolean => {
  if (ifNoneMatch === undefined) return false
  const tags = entityTags(ifNoneMatch)
  return tags === '*' || tags.some((each) => weakless(each) === tag)
}

/** The condition of If-Match and If-None-Match on the stored object (docs/behaviour/writing.md#preconditions). */
export const preconditionOf = (
  ifMatch: string | undefined,
  ifNoneMatch: string | undefined,
): Precondition | undefined => {
  if (ifMatch === undefined && ifNoneMatch === undefined) return undefined
  return (current: JsonObject | null) => {
    const tag = current === null ? null : tagOfValue(current)
    const named = (header: string): boolean => {
      const tags = entityTags(header)
      return tag !== null && (tags === '*' || tags.includes(tag))
    }
    return (ifMatch === undefined || named(ifMatch)) && (ifNoneMatch === undefined || !named(ifNoneMatch))
  }
}
