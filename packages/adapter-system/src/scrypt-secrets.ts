/**
 * Hashes secrets with scrypt (RFC 7914). A hash contains its parameters: `scrypt$N$r$p$salt$hash`. Hashing runs on the
 * thread pool of Node, a few at a time, so that many sign-ins do not block other work. Verifications go first, and new
 * hashes have a separate queue, so that creating keys does not delay sign-ins.
 */
import { createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { E, type TaskEither } from '@publishing-service/domain/fp'
import { portFailure, type PortFailure, type Secrets, type SecretsBusy } from '@publishing-service/ports'
// Pinned to 9: 10 needs Node 22.
import PQueue from 'p-queue'

export type ScryptCost = {
  /** N: a power of two; time and memory grow with it. */
  readonly cost: number
  /** r: memory is 128 · N · r bytes. */
  readonly blockSize: number
  /** p: time grows with it. */
  readonly parallelization: number
}

export type ScryptSecretsOptions = {
  /** The cost of new hashes; hashes with another cost still verify. Default N = 2^15, r = 8, p = 1: 32 MiB. */
  readonly cost?: ScryptCost
  /** Concurrent computations; default 2. */
  readonly running?: number
  /** Verifications that may wait; default 64. Further ones return SecretsBusy. */
  readonly waiting?: number
  /** New hashes that may wait, one of which is computed at a time; default 16. Further ones return SecretsBusy. */
  readonly waitingHashes?: number
}

type StoredHash = { readonly cost: ScryptCost; readonly salt: Buffer; readonly hash: Buffer }

const part = 'secrets'
const saltBytes = 16
const hashBytes = 32
const defaultCost: ScryptCost = { cost: 2 ** 15, blockSize: 8, parallelization: 1 }
/** Only for checks. */
const cheapest: ScryptCost = { cost: 2, blockSize: 1, parallelization: 1 }
/** A hash with a higher cost was not created here and is not computed. */
const maxMemory = 256 * 1024 * 1024
const maxWork = 2 ** 24
const hashPattern = /^scrypt\$(\d{1,10})\$(\d{1,4})\$(\d{1,4})\$([A-Za-z0-9_-]{22,86})\$([A-Za-z0-9_-]{43})$/

const busy: SecretsBusy = { _tag: 'SecretsBusy' }

const memoryOf = ({ cost, blockSize, parallelization }: ScryptCost): number =>
  128 * blockSize * (cost + parallelization + 2)

const isUsable = (cost: ScryptCost): boolean =>
  cost.cost > 1 &&
  (cost.cost & (cost.cost - 1)) === 0 &&
  cost.blockSize > 0 &&
  cost.parallelization > 0 &&
  memoryOf(cost) <= maxMemory &&
  cost.cost * cost.blockSize * cost.parallelization <= maxWork

const derive = (
  secret: string,
  salt: Buffer,
  { cost, blockSize, parallelization }: ScryptCost,
): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const maxmem = 2 * memoryOf({ cost, blockSize, parallelization })
    scrypt(secret, salt, hashBytes, { cost, blockSize, parallelization, maxmem }, (error, hash) => {
      if (error === null) resolve(hash)
      else reject(error)
    })
  })

const textOf = ({ cost, salt, hash }: StoredHash): string =>
  [
    'scrypt',
    cost.cost,
    cost.blockSize,
    cost.parallelization,
    salt.toString('base64url'),
    hash.toString('base64url'),
  ].join('$')

/** Null if the text is not a hash of this kind. */
const parseHash = (text: string): StoredHash | null => {
  const [, cost = '', blockSize = '', parallelization = '', salt = '', hash = ''] =
    hashPattern.exec(text) ?? []
  const parameters = {
    cost: Number(cost),
    blockSize: Number(blockSize),
    parallelization: Number(parallelization),
  }
  if (!isUsable(parameters)) return null
  return { cost: parameters, salt: Buffer.from(salt, 'base64url'), hash: Buffer.from(hash, 'base64url') }
}

/**
 * Hashes and verifies secrets with scrypt. A text that is not a hash never matches, in the time of a real verification. Throws if
 * scrypt cannot use the cost.
 */
export const scryptSecrets = ({
  cost = defaultCost,
  running = 2,
  waiting = 64,
  waitingHashes = 16,
}: ScryptSecretsOptions = {}): Secrets => {
  if (!isUsable(cost)) throw new RangeError(`not a usable cost of scrypt: ${JSON.stringify(cost)}`)
  const queue = new PQueue({ concurrency: running })
  const hashes = new PQueue({ concurrency: 1 })
  /** Random values that secrets are compared with if there is no hash. */
  const dummyHash: StoredHash = { cost, salt: randomBytes(saltBytes), hash: randomBytes(hashBytes) }

  const use =
    <Value>(isFull: () => boolean, job: () => Promise<Value>): TaskEither<PortFailure | SecretsBusy, Value> =>
    async () => {
      if (isFull()) return E.left(busy)
      try {
        return E.right(await job())
      } catch (error) {
        return E.left(portFailure(part, error))
      }
    }

  const newHash = async (secret: string): Promise<string> => {
    const salt = randomBytes(saltBytes)
    return textOf({ cost, salt, hash: await derive(secret, salt, cost) })
  }

  return {
    hash: (secret) =>
      use(
        () => hashes.size >= waitingHashes,
        () => hashes.add(() => queue.add(() => newHash(secret), { priority: 0 })),
      ),
    verify: (secret, hash) =>
      use(
        () => queue.pending >= running && queue.size >= waiting,
        () =>
          queue.add(
            async () => {
              const parsed = hash === null ? null : parseHash(hash)
              const against = parsed ?? dummyHash
              const same = timingSafeEqual(await derive(secret, against.salt, against.cost), against.hash)
              return same && parsed !== null
            },
            { priority: 1 },
          ),
      ),
    check: () => async () => {
      try {
        await derive('', dummyHash.salt, cheapest)
        return E.right(undefined)
      } catch (error) {
        return E.left(portFailure(part, error))
      }
    },
    digest: (text) => createHash('sha256').update(text).digest('base64url'),
  }
}
