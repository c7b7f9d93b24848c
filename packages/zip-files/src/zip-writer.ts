/** Writes zips: one entry after the other, of any size. */
import { createWriteStream, type WriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'

export class ZipWriter {
  readonly #zip = new ZipFile()
  readonly #path: string
  readonly #unfinished: string
  readonly #time: Date
  readonly #file: WriteStream
  readonly #written: Promise<void>
  /** Rejects if the file cannot be written. */
  readonly #failed: Promise<never>

  private constructor(path: string, unfinished: string, time: Date, file: WriteStream) {
    this.#path = path
    this.#unfinished = unfinished
    this.#time = time
    this.#file = file
    this.#written = finished(file)
    this.#failed = new Promise((_resolve, reject) => this.#written.catch(reject))
    this.#failed.catch(() => undefined)
    this.#zip.on('error', (error: Error) => file.destroy(error))
    this.#zip.outputStream.pipe(file)
  }

  /** Begins a zip, which has its name once it is complete. Only its owner can read it. All entries have the time. */
  static async create(path: string, time: Date): Promise<ZipWriter> {
    const unfinished = `${path}.incomplete`
    const handle = await open(unfinished, 'w', 0o600)
    return new ZipWriter(path, unfinished, time, createWriteStream(unfinished, { fd: handle }))
  }

  /** Adds an entry after those before it. Rejects with what the data throws, or if it cannot be written. */
  async add(name: string, data: AsyncIterable<string | Uint8Array>, compress: boolean): Promise<void> {
    const stream = Readable.from(data, { objectMode: false })
    const read = finished(stream)
    this.#zip.addReadStream(stream, name, { compress, mtime: this.#time, mode: 0o100_600 })
    await Promise.race([read, this.#failed])
  }

  /** Ends the zip, with all of it on the disk. */
  async complete(): Promise<void> {
    this.#zip.end()
    await this.#written
    const handle = await open(this.#unfinished, 'r+')
    await handle.sync().finally(() => handle.close())
    await rename(this.#unfinished, this.#path)
  }

  /** Ends a zip that does not become complete. */
  async abandon(): Promise<void> {
    this.#file.destroy()
    await this.#written.catch(() => undefined)
    await rm(this.#unfinished, { force: true })
  }
}
