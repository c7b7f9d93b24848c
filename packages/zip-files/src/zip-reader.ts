/** Reads zips: their entries by name. */
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import yauzl, { type Entry, type ZipFile as OpenZip } from 'yauzl'

/** More entries than any export has. */
const maxEntries = 1_000_000

/** The bytes of the header before the data of an entry, without its name. */
const headerBytes = 30

/** Why a zip cannot be read. */
export class UnreadableZip extends Error {}

const unreadable = (error: unknown): UnreadableZip =>
  error instanceof UnreadableZip
    ? error
    : new UnreadableZip(error instanceof Error ? error.message : String(error), { cause: error })

/** Throws if two entries share data: a small zip could then contain any amount of it. */
const requireSeparate = (entries: readonly Entry[]): void => {
  const sorted = entries.toSorted(
    (one, other) => one.relativeOffsetOfLocalHeader - other.relativeOffsetOfLocalHeader,
  )
  let end = 0
  for (const { fileName, relativeOffsetOfLocalHeader: start, compressedSize } of sorted) {
    if (start < end) throw new UnreadableZip(`${fileName} begins within another entry`)
    end = start + headerBytes + compressedSize
  }
}

export class ZipReader {
  readonly #zip: OpenZip
  readonly #entries: ReadonlyMap<string, Entry>

  private constructor(zip: OpenZip, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip
    this.#entries = entries
  }

  /** Opens a zip and reads the list of its entries. Rejects with UnreadableZip if that is damaged. */
  static async open(path: string): Promise<ZipReader> {
    let zip: OpenZip | null = null
    try {
      zip = await yauzl.openPromise(path, { autoClose: false, lazyEntries: true })
      if (zip.entryCount > maxEntries) throw new UnreadableZip(`it has more than ${maxEntries} entries`)
      const entries = new Map<string, Entry>()
      for await (const entry of zip.eachEntry()) {
        if (entry.fileName.endsWith('/')) continue
        if (entries.has(entry.fileName)) throw new UnreadableZip(`it has ${entry.fileName} twice`)
        entries.set(entry.fileName, entry)
      }
      requireSeparate([...entries.values()])
      return new ZipReader(zip, entries)
    } catch (error) {
      zip?.close()
      throw unreadable(error)
    }
  }

  get names(): readonly string[] {
    return [...this.#entries.keys()]
  }

  /** The size of an entry in bytes; null if there is none. */
  sizeOf(name: string): number | null {
    return this.#entries.get(name)?.uncompressedSize ?? null
  }

  /** The data of an entry. Reading fails if it is longer or shorter than the list says, or damaged. */
  async read(name: string): Promise<Readable> {
    const entry = this.#entries.get(name)
    if (entry === undefined) throw new UnreadableZip(`${name} is not in the zip`)
    return this.#zip.openReadStreamPromise(entry)
  }

  /** The whole data of an entry, as text. */
  async text(name: string): Promise<string> {
    return (await buffer(await this.read(name))).toString('utf8')
  }

  /** The data of an entry in chunks. Throws UnreadableZip. */
  async *chunks(name: string): AsyncGenerator<Uint8Array, void, void> {
    try {
      for await (const chunk of await this.read(name)) yield chunk
    } catch (error) {
      throw unreadable(error)
    }
  }

  close(): void {
    this.#zip.close()
  }
}
