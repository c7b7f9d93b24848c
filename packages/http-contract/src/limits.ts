import type { UploadLimits } from '@publishing-service/domain'

const mebibyte = 1024 * 1024

/** Bytes that a JSON body may have, unless a deployment decides otherwise (docs/behaviour/wire.md#request-bodies). */
export const defaultJsonLimit = 5 * mebibyte

/** The form of a token request, which comes without a token: its most bytes, and the most seconds that it may take. */
export const formLimits = { bytes: 64 * 1024, seconds: 20 } as const

/** Seconds that a JSON body may take from its first byte to its last, unless a deployment decides otherwise. */
export const defaultJsonSeconds = 120

/** A number of bytes for people. */
export const sizeText = (bytes: number): string =>
  bytes >= mebibyte ? `${Math.round((bytes / mebibyte) * 10) / 10} MiB` : `${bytes} bytes`

/** The limits of uploads by MIME type group, for people. */
export const uploadLimitsText = (limits: UploadLimits): string =>
  Object.entries(limits)
    .map(([group, bytes]) => `${group} ${sizeText(bytes)}`)
    .join(', ')
