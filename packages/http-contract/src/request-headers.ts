import { preferredFormats, type MadeFormat } from '@publishing-service/domain/images'

type Qualities = Readonly<Record<string, number>>

/** The values of a header in lower case, each with its quality (RFC 9110, 12.4.2). */
const valueQualities = (header: string): Qualities =>
  Object.fromEntries(
    header.split(',').map((range) => {
      const [value = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
      const quality = parameters.find((parameter) => parameter.startsWith('q='))
      return [value, quality === undefined ? 1 : Number(quality.slice(2))]
    }),
  )

/** Whether the header Accept accepts JSON (docs/behaviour/wire.md#accept). */
export const acceptsJson = (accept: string | undefined): boolean =>
  accept === undefined ||
  accept.trim() === '' ||
  accept.split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    if (type !== '*/*' && type !== 'application/*' && type !== 'application/json') return false
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    return quality === undefined || Number(quality.slice(2)) > 0
  })

/**
 * The image formats that the header Accept names. A range such as `image/*` counts for none: clients that send it alone
 * may not display them.
 */
export const namedImageFormats = (accept: string | undefined): readonly MadeFormat[] => {
  const qualities = valueQualities(accept ?? '')
  return preferredFormats.filter((format) => (qualities[format] ?? 0) > 0)
}

/** The qualities of the content codings in Accept-Encoding. */
const codingQualities = (header: string): Qualities => {
  const { 'x-gzip': other, ...qualities } = valueQualities(header)
  return other === undefined ? qualities : { ...qualities, gzip: other }
}

const codingQuality = (qualities: Qualities, coding: string): number =>
  qualities[coding] ?? qualities['*'] ?? 0

/**
 * The content coding that a client prefers, the first of equal ones; null if it prefers data as it is, or accepts none of
 * these (docs/behaviour/wire.md#compression).
 */
export const preferredCoding = <C extends string>(
  acceptEncoding: string | undefined,
  codings: readonly C[],
): C | null => {
  if (acceptEncoding === undefined) return null
  const qualities = codingQualities(acceptEncoding)
  let best: C | null = null
  let most = qualities['identity'] ?? 0
  for (const coding of codings) {
    const quality = codingQuality(qualities, coding)
    if (quality > most || (quality === most && best === null && quality > 0)) [best, most] = [coding, quality]
  }
  return best
}

/** Whether a client accepts data in a content coding. */
export const acceptsCoding = (acceptEncoding: string, coding: string): boolean =>
  codingQuality(codingQualities(acceptEncoding), coding) > 0

/** Whether `Prefer: handling=strict` was sent (RFC 7240). */
export const prefersStrict = (prefer: string): boolean =>
  prefer.split(/[,;]/).some((part) => /^\s*handling\s*=\s*"?strict"?\s*$/i.test(part))

/** The token of `Authorization: Bearer …`, the scheme in any case (docs/behaviour/wire.md#bearer); null if there is none. */
export const bearerToken = (authorization: string): string | null =>
  /^bearer +([\w.~+/=-]+) *$/i.exec(authorization)?.[1] ?? null

/** The entity tags of If-Match or If-None-Match; `*` matches any. */
export const entityTags = (header: string): '*' | readonly string[] =>
  header.trim() === '*' ? '*' : (header.match(/(?:W\/)?"[^"]*"/g) ?? [])

const hostPattern = /^(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})+)(?::(\d{0,5}))?$/i

/** Whether a header Host is a host with an optional port (RFC 9110, 7.2; an http address always names a host). */
export const isHost = (host: string): boolean => {
  const match = hostPattern.exec(host)
  return match !== null && Number(match[1] ?? 0) <= 65_535
}

const linkPattern = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::(\d{1,5}))?$/i

/** A host with or without a port, if it can be part of a link; else null. */
export const linkableHost = (host: string): string | null => {
  const match = linkPattern.exec(host)
  return match !== null && Number(match[1] ?? 0) <= 65_535 ? host : null
}

const saneRequestId = /^[\w.:-]{1,128}$/

/** The request id of the client if it is a valid token (docs/behaviour/wire.md#request-id), else null. */
export const requestId = (header: string): string | null => (saneRequestId.test(header) ? header : null)

/** Whether a request must bypass the response cache (docs/behaviour/caching.md#no-cache). */
export const bypassesCache = (cacheControl: string): boolean =>
  /(?:^|[\s,])no-(?:cache|store)(?:$|[\s,=])/i.test(cacheControl)
