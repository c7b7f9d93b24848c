import type { UploadLimits } from '@publishing-service/domain'

const mebibyte = 1024 * 1024

/** Bytes that a JSON body may have, unless a deployment decides otherwise (decisions §1.7). */
export const defaultJsonLimit = 5 * mebibyte

/** A number of bytes for people. */
export const sizeText = (bytes: number): string =>
  bytes >= mebibyte ? `${Math.round((bytes / mebibyte) * 10) / 10} MiB` : `${bytes} bytes`

/** The limits of uploads by MIME type group, for people. */
export const uploadLimitsText = (limits: UploadLimits): string =>
  Object.entries(limits)
    .map(([group, bytes]) => `${group} ${sizeText(bytes)}`)
    .join(', ')
