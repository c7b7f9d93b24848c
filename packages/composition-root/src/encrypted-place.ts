/** A place for backups whose data is encrypted in the format of age, so that `age --decrypt` reads it too. */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { Decrypter, Encrypter, identityToRecipient } from 'age-encryption'
import { throwRejection } from '@publishing-service/application'
import { E } from '@publishing-service/domain/fp'
import { isPortFailure, type BlobStore } from '@publishing-service/ports'

/** Data is encrypted in pieces: the bytes that each has in addition, and the most bytes of its plain data. */
const [pieceOverhead, pieceBytes] = [16, 64 * 1024]

const webStream = (body: AsyncIterable<Uint8Array>) => Readable.toWeb(Readable.from(body))

/** The sizes of plain and encrypted data for a recipient; all data for one has a head of the same length. */
const sizesFor = async (encrypter: Encrypter) => {
  const empty = await encrypter.encrypt(webStream(Readable.from([])))
  await empty.cancel()
  const head = empty.size(0) - pieceOverhead
  return {
    encrypted: (plain: number): number => empty.size(plain),
    /** Null for what is not encrypted. */
    plain: (encrypted: number): number | null => {
      const pieces = Math.ceil((encrypted - head) / (pieceBytes + pieceOverhead))
      const plain = encrypted - head - pieces * pieceOverhead
      return plain >= 0 && empty.size(plain) === encrypted ? plain : null
    },
  }
}

/** The same place, with blobs that are encrypted with a key. Sizes are those of the plain data. Rejects if the key is none. */
export const encryptedPlace = async (place: BlobStore, key: string): Promise<BlobStore> => {
  const encrypter = new Encrypter()
  encrypter.addRecipient(await identityToRecipient(key))
  const decrypter = new Decrypter()
  decrypter.addIdentity(key)
  const sizes = await sizesFor(encrypter)

  async function* decrypted(name: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield* await decrypter.decrypt(webStream(chunks))
    } catch (error) {
      if (isPortFailure(error)) throw error
      throwRejection({
        _tag: 'ExportDamaged',
        problem: `${name} is damaged, or not encrypted with BACKUP_ENCRYPTION_KEY`,
      })
    }
  }

  return {
    ...place,
    write: (name, body, limit) => async () => {
      const hash = createHash('sha256')
      let bytes = 0
      async function* counted(): AsyncGenerator<Uint8Array> {
        for await (const chunk of body) {
          hash.update(chunk)
          bytes += chunk.length
          yield chunk
        }
      }
      const stream = await encrypter.encrypt(webStream(counted()))
      const written = await place.write(name, stream, sizes.encrypted(limit))()
      if (E.isRight(written)) return E.right({ bytes, sha256: hash.digest('hex') })
      return written.left._tag === 'BlobTooLarge' ? E.left({ ...written.left, limit }) : written
    },
    read: (name, range) => async () => {
      if (range !== undefined) throw new Error('parts of encrypted data are not read')
      const opened = await place.read(name)()
      if (E.isLeft(opened)) return opened
      const { bytes, chunks } = opened.right
      return E.right({ bytes: sizes.plain(bytes) ?? bytes, chunks: decrypted(name, chunks) })
    },
    size: (name) => async () => {
      const found = await place.size(name)()
      return E.isLeft(found) || found.right === null
        ? found
        : E.right(sizes.plain(found.right) ?? found.right)
    },
    async *list(path) {
      for await (const entry of place.list(path))
        yield { ...entry, bytes: sizes.plain(entry.bytes) ?? entry.bytes }
    },
  }
}
