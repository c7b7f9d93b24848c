/**
 * An append-only file of JSON lines for any number of processes on one machine: the order of its lines is the order of
 * all writes. A line is there whole or not at all, and durable once `append` has answered.
 */
import { constants } from 'node:fs'
import { mkdir, open, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { JsonObject } from '@publishing-service/domain'

/** A crash or a full disk can leave a part of a line behind: that is no JSON, since its brace never closed. */
const parsed = (line: string): JsonObject | null => {
  try {
    return JSON.parse(line) as JsonObject
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** A new file is durable when its folder is. */
const openDurably = async (file: string): Promise<FileHandle> => {
  await mkdir(dirname(file), { recursive: true })
  const handle = await open(file, constants.O_RDWR | constants.O_CREAT | constants.O_APPEND)
  const folder = await open(dirname(file))
  await folder.sync()
  await folder.close()
  return handle
}

/** Opens the file, makes it where it is missing, and hands every line to `take`, now and with each `readOn`. */
export const openJournal = async (file: string, take: (line: JsonObject) => void) => {
  const handle = await openDurably(file)
  const chunk = Buffer.alloc(1024 * 1024)
  let position = 0
  let begun = Buffer.alloc(0)

  const pass = async (): Promise<void> => {
    for (;;) {
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, position)
      if (bytesRead === 0) return
      position += bytesRead
      const bytes = Buffer.concat([begun, chunk.subarray(0, bytesRead)])
      const end = bytes.lastIndexOf('\n') + 1
      begun = bytes.subarray(end)
      for (const text of bytes.toString('utf8', 0, end).split('\n')) {
        const line = text === '' ? null : parsed(text)
        if (line !== null) take(line)
      }
    }
  }

  let running = Promise.resolve()
  let waiting: Promise<void> | null = null
  /** Hands out what is new. One pass at a time; all who ask before the next one begins share it. */
  const readOn = (): Promise<void> => {
    const start = (): Promise<void> => {
      waiting = null
      running = pass()
      return running
    }
    waiting ??= running.then(start, start)
    return waiting
  }

  /** Behind a failed sync nobody knows what the disk has, so that nothing more may be acknowledged. */
  let broken: unknown = null
  /** One `write` on a file that is open for appending: the system puts it behind what all others have written. */
  const write = async (text: string): Promise<void> => {
    if (broken !== null) throw broken
    const { bytesWritten } = await handle.write(text)
    if (bytesWritten < Buffer.byteLength(text)) throw new Error('the disk took a part of a line only')
    await handle.datasync().catch((error: unknown) => {
      broken = error
      throw error
    })
  }

  await readOn()
  return {
    readOn,
    // The first line feed ends a line that was cut short, if there is one.
    append: (line: JsonObject): Promise<void> => write(`\n${JSON.stringify(line)}\n`),
    /** Fails where the file can't be written. */
    touch: (): Promise<void> => write('\n'),
    close: (): Promise<void> => handle.close(),
  }
}
