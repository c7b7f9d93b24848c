import type { UploadLimits } from '@publishing-service/domain/files'

const mebibyte = 1024 * 1024

/** Default maximum size of a JSON body in bytes (docs/behaviour/wire.md#request-bodies). */
export const defaultJsonLimit = 5 * mebibyte

/** Limits of the form of a token request, which is sent without a token: size in bytes, and duration in seconds. */
export const formLimits = { bytes: 64 * 1024, seconds: 20 } as const

/** Default maximum number of seconds from the first byte of a JSON body to the last. */
export const defaultJsonSeconds = 120

/** A number of bytes in readable form. */
export const sizeText = (bytes: number): string =>
  bytes >= mebibyte ? `${Math.round((bytes / mebibyte) * 10) / 10} MiB` : `${bytes} bytes`

/** The limits of uploads by MIME type group in readable form. */
export const uploadLimitsText = (limits: UploadLimits): string =>
  Object.entries(limits)
    .map(([group, bytes]) => `${group} ${sizeText(bytes)}`)
    .join(', ')
