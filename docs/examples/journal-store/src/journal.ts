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

/** One time after the other; all who ask before the next one begins share it. */
const shared = (act: () => Promise<void>): (() => Promise<void>) => {
  let [running, waiting]: [Promise<void>, Promise<void> | null] = [Promise.resolve(), null]
  const start = (): Promise<void> => {
    waiting = null
    return (running = act())
  }
  return () => (waiting ??= running.then(start, start))
}

/** Opens the file, makes it where it is missing, and hands every line to `take`, now and with each `readOn`. */
export const openJournal = async (file: string, take: (line: JsonObject) => void) => {
  const handle = await openDurably(file)
  const chunk = Buffer.alloc(1024 * 1024)
  let [position, begun] = [0, Buffer.alloc(0)]

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

  /** Behind a failed sync nobody knows what the disk has, so that nothing more may be acknowledged. */
  let isSynced = true
  let asked = ''
  /** One `write` on a file that is open for appending: the system puts it behind what all others have written. */
  const write = shared(async () => {
    const text = asked
    asked = ''
    if (!isSynced) throw new Error('the disk has failed before')
    const { bytesWritten } = await handle.write(text)
    if (bytesWritten < Buffer.byteLength(text)) throw new Error('the disk took a part of a line only')
    isSynced = false
    // Whatever its code, a failure behind the write leaves the lines in the file.
    await handle.datasync().catch((error: unknown) => {
      throw new Error('the disk may have lost lines', { cause: error })
    })
    isSynced = true
  })

  const readOn = shared(pass)
  await readOn()
  return {
    readOn,
    /** Without a line it says whether the file can be written. The first line feed ends a line that was cut short. */
    append: (line?: JsonObject): Promise<void> => {
      asked += `\n${line === undefined ? '' : JSON.stringify(line)}\n`
      return write()
    },
    close: (): Promise<void> => handle.close(),
  }
}
