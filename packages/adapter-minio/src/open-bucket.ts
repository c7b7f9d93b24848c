/**
 * Opens a bucket: is the server there, does it let us in, is the bucket ours, may we write to it. What goes wrong
 * is told in one sentence that a person can act on, without the secret.
 */
import { type Bucket, type BucketOptions, openConnections } from './bucket.js'
import { s3Code } from './minio-failure.js'

/** No key of a blob, so that it never meets one and is never listed. */
const probe = '~probe'

/** Rejects where the bucket can't be written to or read from. */
export const probeBucket = async ({ client, name, ask }: Bucket): Promise<void> => {
  await ask(() => client.putObject(name, probe, Buffer.from('.')))
  await ask(() => client.statObject(name, probe))
}

const reasons: Readonly<Record<string, (bucket: string) => string>> = {
  InvalidAccessKeyId: () => 'the server knows no such access key',
  SignatureDoesNotMatch: () => 'the secret key does not belong to the access key',
  AccessDenied: (bucket) =>
    `the bucket ${bucket} belongs to somebody else, or the access key may not write to it`,
  BucketAlreadyExists: (bucket) => `the bucket ${bucket} belongs to somebody else`,
}

const reasonOf = (error: unknown, bucket: string): string => {
  const code = s3Code(error)
  const known = code === null ? undefined : reasons[code]
  if (known !== undefined) return known(bucket)
  // Node tells of several addresses that were tried without a message of its own.
  if (error instanceof AggregateError) return error.errors.map(String).join('; ')
  return error instanceof Error ? `${code === null ? '' : `${code}: `}${error.message}` : String(error)
}

const make = async ({ client, name, region, ask }: Bucket): Promise<void> => {
  try {
    await ask(() => client.makeBucket(name, region))
  } catch (error) {
    // Another process has made it at the same moment.
    if (s3Code(error) !== 'BucketAlreadyOwnedByYou') throw error
  }
}

const openingFailure = (error: unknown, { url, bucket }: BucketOptions): Error =>
  new Error(
    `The blob store can't be opened on ${url.replace(/\/\/[^/?]*@/, '//')}, bucket ${bucket}: ${reasonOf(error, bucket)}`,
  )

/** Rejects with an Error that says on which server and bucket, and why. */
export const openBucket = async (options: BucketOptions): Promise<Bucket> => {
  let opened: Bucket | null = null
  try {
    opened = openConnections(options)
    const { client, name, ask } = opened
    if (!(await ask(() => client.bucketExists(name)))) await make(opened)
    await probeBucket(opened)
    return opened
  } catch (error) {
    opened?.close()
    throw openingFailure(error, options)
  }
}
