/**
 * The one place where what the client throws becomes a failure of the port: the network's errors and the server's
 * answers are the operator's to mend; what the client refuses to send is a defect and stays one.
 */
import { S3Error } from 'minio'
import { portFailure, storageFull, type PortFailure } from '@publishing-service/ports'

/** How the operator knows this part. */
export const part = 'blob store'

/** What an answer says that no working program can get. */
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

/** The system's own errors, and those that Node makes of a connection that ended too early. */
const isNetworkError = (error: unknown): boolean =>
  error instanceof Error && ('syscall' in error || codeOf(error) === 'ECONNRESET')

/** The client makes an error of its own of 500 and above, 429 and 408, and keeps only the number. */
const isBusy = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('Retryable HTTP status')

/** A connection that was kept for the next request, and which the server has closed at the same moment. */
export const isWorthRetrying = (error: unknown): boolean =>
  ['ECONNRESET', 'EPIPE'].includes(codeOf(error) ?? '')

/** The server's disks or the bucket's quota are full. The client keeps only the number of a status from 500 on. */
const isFull = (error: unknown): boolean =>
  ['XMinioStorageFull', 'XMinioAdminBucketQuotaExceeded', 'QuotaExceeded'].includes(codeOf(error) ?? '') ||
  (isBusy(error) && error instanceof Error && /\b507\b/.test(error.message))

/** There is no object by this name. A missing bucket is a failure. */
export const isAbsent = (error: unknown): boolean =>
  error instanceof S3Error && ['NoSuchKey', 'NotFound'].includes(codeOf(error) ?? '')

export const s3Code = (error: unknown): string | null => (error instanceof S3Error ? codeOf(error) : null)

/** The server took a request and said nothing, or stopped in the middle. */
export const noAnswer = (milliseconds: number): Error =>
  Object.assign(new Error(`the server said nothing for ${milliseconds} ms`), {
    code: 'ETIMEDOUT',
    syscall: 'read',
  })

/** Throws again whatever is neither the network's nor the server's. */
export const minioFailure = (error: unknown): PortFailure => {
  if (isFull(error)) return storageFull(part, error)
  if (isNetworkError(error) || isBusy(error)) return portFailure(part, error)
  const code = s3Code(error)
  if (code === null || defects.has(code)) throw error
  return portFailure(part, `${code}: ${error instanceof Error ? error.message : ''}`)
}
