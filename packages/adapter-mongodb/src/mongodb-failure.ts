/** Distinguishes failures of the environment (network, elections, disk) from defects. */
import { MongoError, MongoInvalidArgumentError, MongoServerError } from 'mongodb'
import { type PortFailure, portFailure, storageFull } from '@publishing-service/ports'

const part = 'document store'

/** The outcome is unknown: the server may still execute the command, after a lost connection or a timeout. */
export const indeterminateFailure = (error: unknown): PortFailure => ({
  ...portFailure(part, error),
  mayYetApply: true,
})

/** Error codes for invalid commands. */
const defects: ReadonlySet<number> = new Set([
  2, // BadValue
  9, // FailedToParse
  14, // TypeMismatch
  22, // InvalidBSON
  28, // PathNotViable
  40, // ConflictingUpdateOperators
  52, // DollarPrefixedFieldName
  55, // InvalidDBRef
  56, // EmptyFieldName
  57, // DottedFieldName
  59, // CommandNotFound
  66, // ImmutableField
  72, // InvalidOptions
  10334, // BSONObjectTooLarge
  17419, // too large once it is updated
])

/** Whether a unique index rejected the write. FerretDB 1 returns the message of its database for updates. */
export const isDuplicate = (error: unknown): error is MongoServerError =>
  error instanceof MongoServerError &&
  (error.code === 11000 || (error.code === 1 && error.message.includes('UNIQUE constraint failed')))

/** Error codes of Node for sockets that the peer has closed. */
const brokenSocket: ReadonlySet<unknown> = new Set([
  'EPIPE',
  'ECONNRESET',
  'ERR_SOCKET_CLOSED',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
])

/** The driver does not wrap the error if it writes to a socket that has just closed. */
const isSocketError = (error: unknown): error is Error =>
  error instanceof Error && ('syscall' in error || ('code' in error && brokenSocket.has(error.code)))

/** OutOfDiskSpace, since MongoDB 4.4. */
const outOfDiskSpace = 14031

/** Atlas uses its general code for exceeded quotas; FerretDB returns the message of its database. */
const isFull = ({ code, message }: MongoServerError): boolean =>
  code === outOfDiskSpace ||
  (code === 8000 && message.includes('space quota')) ||
  (code === 1 && message.includes('database or disk is full'))

/** The failure of the port; null for a defect, which the caller rethrows. */
export const mongodbFailure = (error: unknown): PortFailure | null => {
  if (isSocketError(error)) return indeterminateFailure(error)
  if (!(error instanceof MongoError) || error instanceof MongoInvalidArgumentError) return null
  if (error instanceof MongoServerError && typeof error.code === 'number' && defects.has(error.code))
    return null
  // The server rejected the write, so it is never applied.
  if (error instanceof MongoServerError && isFull(error)) return storageFull(part, error)
  return indeterminateFailure(error)
}
