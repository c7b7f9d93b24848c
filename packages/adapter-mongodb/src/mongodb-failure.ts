/** Tells what MongoDB says about its surroundings (network, elections, disk) from what only a defect makes it say. */
import { MongoError, MongoInvalidArgumentError, MongoServerError } from 'mongodb'
import { type PortFailure, portFailure, storageFull } from '@publishing-service/ports'

const part = 'document store'

/** The server may have a command that nobody waits for any more, behind a lost connection or a passed deadline. */
export const indeterminateFailure = (error: unknown): PortFailure => ({
  ...portFailure(part, error),
  mayYetApply: true,
})

/** Codes of a server that was sent a command it can't understand. */
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

/** Whether a unique index refused the write. FerretDB 1 passes its database's own words on where it updates. */
export const isDuplicate = (error: unknown): error is MongoServerError =>
  error instanceof MongoServerError &&
  (error.code === 11000 || (error.code === 1 && error.message.includes('UNIQUE constraint failed')))

/** Whether the index that refused the write is that of the ids; null where the server doesn't tell. */
export const isDuplicateId = (error: MongoServerError): boolean | null => {
  const pattern: unknown = error['keyPattern'] ?? error.errorResponse['keyPattern']
  return typeof pattern === 'object' && pattern !== null ? '_id' in pattern : null
}

/** What Node itself says of a socket that the other side has ended. */
const brokenSocket: ReadonlySet<unknown> = new Set([
  'EPIPE',
  'ECONNRESET',
  'ERR_SOCKET_CLOSED',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
])

/** What is said of a socket reaches callers as it is where the driver writes to one that has just broken. */
const isSocketError = (error: unknown): error is Error =>
  error instanceof Error && ('syscall' in error || ('code' in error && brokenSocket.has(error.code)))

/** OutOfDiskSpace, as servers say it from version 4.4 on. */
const outOfDiskSpace = 14031

/** Atlas refuses writes over the quota under its general code; FerretDB passes its database's own words on. */
const isFull = ({ code, message }: MongoServerError): boolean =>
  code === outOfDiskSpace ||
  (code === 8000 && message.includes('space quota')) ||
  (code === 1 && message.includes('database or disk is full'))

/** The failure of the port; null for a defect, which the caller throws on. */
export const mongodbFailure = (error: unknown): PortFailure | null => {
  if (isSocketError(error)) return indeterminateFailure(error)
  if (!(error instanceof MongoError) || error instanceof MongoInvalidArgumentError) return null
  if (error instanceof MongoServerError && typeof error.code === 'number' && defects.has(error.code))
    return null
  // The server has refused the write, so it cannot apply later.
  if (error instanceof MongoServerError && isFull(error)) return storageFull(part, error)
  return indeterminateFailure(error)
}
