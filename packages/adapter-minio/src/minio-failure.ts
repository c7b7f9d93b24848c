/**
 * Converts errors of the client to failures of the port. Errors of the network and the server are failures, which the
 * operator can fix. Requests that the client rejects are defects and are rethrown.
 */
import { S3Error } from 'minio'
import { portFailure, storageFull, type PortFailure } from '@publishing-service/ports'

/** The name of this part in messages for the operator. */
export const part = 'blob store'

/** Codes of responses that only a defect of this adapter can cause. */
const defects: ReadonlySet<string> = new Set([
  'EntityTooSmall',
  'InvalidArgument',
  'InvalidPart',
  'InvalidPartOrder',
  'InvalidRange',
  'MalformedXML',
  'MethodNotAllowed',
  'MissingContentLength',
])

const codeOf = (error: unknown): string | null =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null

/** Errors of the system, and Node's error for a connection that ended early. */
const isNetworkError = (error: unknown): boolean =>
  error instanceof Error && ('syscall' in error || codeOf(error) === 'ECONNRESET')

/** For the status 408, 429, and 500 and above, the client throws an error with the number only. */
const isRetryableStatus = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('Retryable HTTP status')

/** The server closed an idle connection at the moment of the request. */
export const isConnectionClosed = (error: unknown): boolean =>
  ['ECONNRESET', 'EPIPE'].includes(codeOf(error) ?? '')

/** The disks of the server or the quota of the bucket are full. */
const isStorageFull = (error: unknown): boolean =>
  ['XMinioStorageFull', 'XMinioAdminBucketQuotaExceeded', 'QuotaExceeded'].includes(codeOf(error) ?? '') ||
  (isRetryableStatus(error) && error instanceof Error && /\b507\b/.test(error.message))

/** The object does not exist. A missing bucket is a failure. */
export const isAbsent = (error: unknown): boolean =>
  error instanceof S3Error && ['NoSuchKey', 'NotFound'].includes(codeOf(error) ?? '')

export const s3Code = (error: unknown): string | null => (error instanceof S3Error ? codeOf(error) : null)

/** The server accepted a request and did not respond, or stopped within the response. */
export const timeoutError = (milliseconds: number): Error =>
  Object.assign(new Error(`the server did not respond for ${milliseconds} ms`), {
    code: 'ETIMEDOUT',
    syscall: 'read',
  })

/** Rethrows defects. */
export const minioFailure = (error: unknown): PortFailure => {
  if (isStorageFull(error)) return storageFull(part, error)
  if (isNetworkError(error) || isRetryableStatus(error)) return portFailure(part, error)
  const code = s3Code(error)
  if (code === null || defects.has(code)) throw error
  return portFailure(part, `${code}: ${error instanceof Error ? error.message : ''}`)
}
