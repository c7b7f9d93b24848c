import { createHash } from 'node:crypto'
import { asciiJsonPieces, type Json, type JsonObject } from '@publishing-service/domain/json'
import type { Precondition } from '@publishing-service/application'
import { acceptsCoding, entityTags } from '@publishing-service/http-contract'

/** The tag of the body in which this value is sent. */
const tagOfValue = (value: Json): string => {
  const sum = createHash('sha1')
  for (const piece of asciiJsonPieces(JSON.stringify(value))) sum.update(piece)
  return `"${sum.digest('base64url')}"`
}

/** The tag of a representation in a content coding. */
export const codedTag = (tag: string, coding: string): string => `${tag.slice(0, -1)}-${coding}"`

/** What servers that compress add to a tag: `-gzip` (Apache, and this service), `--gzip` (Jetty), `;gzip`. */
const codingSuffix = /(?:--?|[;:])(br|deflate|gzip|zstd)"$/

const strongForm = (tag: string): string => tag.replace(/^W\//, '')

/**
 * Whether a tag that a client sends is this one, weak or with the sign of a compression
 * (docs/behaviour/caching.md#validators). Our tags are hashes of the uncompressed representation, so each of these forms
 * means the same state.
 */
const isFormOf = (sent: string, tag: string): boolean => {
  const strong = strongForm(sent)
  return strong === tag || strong.replace(codingSuffix, '"') === tag
}

/**
 * Whether a client that has a form of the tag can use it instead of the selected one. The strong tag itself names the
 * uncompressed representation only; another form needs a content coding that the client accepts.
 */
const isUsable = (form: string, tag: string, acceptEncoding: string): boolean => {
  if (form === tag) return false
  const coding = form.endsWith(tag) ? undefined : codingSuffix.exec(form)?.[1]
  return coding === undefined || acceptsCoding(acceptEncoding, coding)
}

/**
 * The tag of the 304 to a request with If-None-Match: the strong form of the one that it names, so that the client updates
 * what it has; null if the client has no current response. `selected` is the tag that 200 would have.
 */
export const unchangedTag = (
  ifNoneMatch: string,
  acceptEncoding: string | undefined,
  tag: string,
  selected = tag,
): string | null => {
  const tags = entityTags(ifNoneMatch)
  if (tags === '*' || tags.includes(selected)) return selected
  // Without the header every coding is acceptable (RFC 9110, 12.5.3).
  const accepted = acceptEncoding ?? '*'
  const found = tags.find((each) => isFormOf(each, tag) && isUsable(each, tag, accepted))
  return found === undefined ? null : strongForm(found)
}

/** The condition of If-Match and If-None-Match on the stored object (docs/behaviour/writing.md#preconditions). */
export const preconditionOf =
  (ifMatch: string | undefined, ifNoneMatch: string | undefined): Precondition =>
  (current: JsonObject | null) => {
    const tag = current === null ? null : tagOfValue(current)
    const named = (header: string): boolean => {
      const tags = entityTags(header)
      return tag !== null && (tags === '*' || tags.some((each) => isFormOf(each, tag)))
    }
    return (ifMatch === undefined || named(ifMatch)) && (ifNoneMatch === undefined || !named(ifNoneMatch))
  }
