/**
 * Opens a bucket. Checks that the server responds, the keys are right, and the bucket can be written to. An error is
 * one sentence that tells the operator what to correct, without the secret.
 */
import { type Bucket, type BucketOptions, openConnections } from './bucket.js'
import { timeoutError, s3Code } from './minio-failure.js'

/** Not a valid key, so it conflicts with no blob and is not listed. */
const probeObject = '~probe'

/** Rejects if the bucket cannot be written to or read from. */
export const probeBucket = async ({ client, name, send }: Bucket): Promise<void> => {
  await send(() => client.putObject(name, probeObject, Buffer.from('.')))
  await send(() => client.statObject(name, probeObject))
}

/** The option to correct. */
type Option = 'url' | 'accessKey' | 'secretKey' | 'bucket'

type Cause = { readonly option: Option; readonly reason: (bucket: string) => string }

const ofOtherAccount = (bucket: string): string => `the bucket ${bucket} belongs to another account`

const causes: Readonly<Record<string, Cause>> = {
  InvalidAccessKeyId: { option: 'accessKey', reason: () => 'the access key does not exist on the server' },
  SignatureDoesNotMatch: {
    option: 'secretKey',
    reason: () => 'the secret key does not belong to the access key',
  },
  AccessDenied: {
    option: 'bucket',
    reason: (bucket) => `${ofOtherAccount(bucket)}, or the access key may not write to it`,
  },
  BucketAlreadyExists: { option: 'bucket', reason: ofOtherAccount },
  InvalidBucketName: { option: 'bucket', reason: (bucket) => `${bucket} is not a valid bucket name` },
}

const messageOf = (error: unknown): string => {
  // Node's error for several addresses has no message.
  if (error instanceof AggregateError) return error.errors.map(String).join('; ')
  const code = s3Code(error)
  return error instanceof Error ? `${code === null ? '' : `${code}: `}${error.message}` : String(error)
}

const createBucket = async ({ client, name, region, send }: Bucket): Promise<void> => {
  try {
    await send(() => client.makeBucket(name, region))
  } catch (error) {
    // Another process created it at the same time.
    if (s3Code(error) !== 'BucketAlreadyOwnedByYou') throw error
  }
}

/** The client rejects some names itself, with an error class that it does not export. */
const clientCode = (error: unknown): string =>
  error instanceof Error && error.name === 'InvalidBucketNameError' ? 'InvalidBucketName' : ''

const openingFailure = (error: unknown, { url, bucket }: BucketOptions): Error => {
  const cause = causes[s3Code(error) ?? clientCode(error)]
  const reason = cause?.reason(bucket) ?? messageOf(error)
  const location = `${url.replace(/\/\/.*@/s, '//')}, bucket ${bucket}`
  return Object.assign(new Error(`The blob store cannot be opened on ${location}: ${reason}`), {
    option: cause?.option ?? 'url',
  })
}

/** The time for all requests of the opening. */
const maxOpenMilliseconds = 7000

const createAndProbe = async (bucket: Bucket): Promise<void> => {
  const { client, name, send } = bucket
  if (!(await send(() => client.bucketExists(name)))) await createBucket(bucket)
  await probeBucket(bucket)
}

const withinOpenTime = async (preparing: Promise<void>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(timeoutError(maxOpenMilliseconds)), maxOpenMilliseconds)
  })
  try {
    await Promise.race([preparing, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Rejects with an Error that states server, bucket and cause. Its `option` is the one to correct. */
export const openBucket = async (options: BucketOptions): Promise<Bucket> => {
  let opened: Bucket | null = null
  try {
    opened = openConnections(options)
    await withinOpenTime(createAndProbe(opened))
    return opened
  } catch (error) {
    opened?.close()
    throw openingFailure(error, options)
  }
}
