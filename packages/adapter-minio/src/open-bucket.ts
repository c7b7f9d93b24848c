/**
 * Opens a bucket: is the server there, does it let us in, is the bucket ours, may we write to it. What goes wrong
 * is told in one sentence that a person can act on, without the secret.
 */
import { type Bucket, type BucketOptions, openConnections } from './bucket.js'
import { noAnswer, s3Code } from './minio-failure.js'

/** No key of a blob, so that it never meets one and is never listed. */
const probe = '~probe'

/** Rejects where the bucket can't be written to or read from. */
export const probeBucket = async ({ client, name, ask }: Bucket): Promise<void> => {
  await ask(() => client.putObject(name, probe, Buffer.from('.')))
  await ask(() => client.statObject(name, probe))
}

/** The option that has to be put right. */
type Option = 'url' | 'accessKey' | 'secretKey' | 'bucket'

type Cause = { readonly option: Option; readonly reason: (bucket: string) => string }

const notOurs = (bucket: string): string => `the bucket ${bucket} belongs to somebody else`

const causes: Readonly<Record<string, Cause>> = {
  InvalidAccessKeyId: { option: 'accessKey', reason: () => 'the server knows no such access key' },
  SignatureDoesNotMatch: {
    option: 'secretKey',
    reason: () => 'the secret key does not belong to the access key',
  },
  AccessDenied: {
    option: 'bucket',
    reason: (bucket) => `${notOurs(bucket)}, or the access key may not write to it`,
  },
  BucketAlreadyExists: { option: 'bucket', reason: notOurs },
  InvalidBucketName: { option: 'bucket', reason: (bucket) => `no bucket can be named ${bucket}` },
}

const wordsOf = (error: unknown): string => {
  // Node tells of several addresses that were tried without a message of its own.
  if (error instanceof AggregateError) return error.errors.map(String).join('; ')
  const code = s3Code(error)
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

/** The client refuses some names itself, with errors that it doesn't export. */
const clientCode = (error: unknown): string =>
  error instanceof Error && error.name === 'InvalidBucketNameError' ? 'InvalidBucketName' : ''

const openingFailure = (error: unknown, { url, bucket }: BucketOptions): Error => {
  const cause = causes[s3Code(error) ?? clientCode(error)]
  const reason = cause?.reason(bucket) ?? wordsOf(error)
  const place = `${url.replace(/\/\/.*@/s, '//')}, bucket ${bucket}`
  return Object.assign(new Error(`The blob store can't be opened on ${place}: ${reason}`), {
    option: cause?.option ?? 'url',
  })
}

/** Milliseconds within which a server must respond to all requests made here. */
const longestOpening = 7000

const prepare = async (bucket: Bucket): Promise<void> => {
  const { client, name, ask } = bucket
  if (!(await ask(() => client.bucketExists(name)))) await make(bucket)
  await probeBucket(bucket)
}

const inTime = async (preparing: Promise<void>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(noAnswer(longestOpening)), longestOpening)
  })
  try {
    await Promise.race([preparing, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Rejects with an Error that says on which server and bucket, and why; its `option` is the one to put right. */
export const openBucket = async (options: BucketOptions): Promise<Bucket> => {
  let opened: Bucket | null = null
  try {
    opened = openConnections(options)
    await inTime(prepare(opened))
    return opened
  } catch (error) {
    opened?.close()
    throw openingFailure(error, options)
  }
}
