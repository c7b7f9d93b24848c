/**
 * An append-only file of JSON lines for any number of processes on one machine. The order of its lines is the order of
 * all writes. A line is written completely or not at all, and is durable once `append` has returned.
 */
import { constants } from 'node:fs'
import { mkdir, open, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { JsonObject } from '@publishing-service/domain/json'

/** Null for a truncated line, which a crash or a full disk can cause: it is not JSON, since a brace is not closed. */
const parsed = (line: string): JsonObject | null => {
  try {
    return JSON.parse(line) as JsonObject
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** A new file is durable once its folder is synchronized. */
const openDurably = async (file: string): Promise<FileHandle> => {
  await mkdir(dirname(file), { recursive: true })
  const handle = await open(file, constants.O_RDWR | constants.O_CREAT | constants.O_APPEND)
  const folder = await open(dirname(file))
  await folder.sync()
  await folder.close()
  return handle
}

/** Runs the function one call at a time. All callers that wait for the next run share it. */
const coalesced = (run: () => Promise<void>): (() => Promise<void>) => {
  let [running, waiting]: [Promise<void>, Promise<void> | null] = [Promise.resolve(), null]
  const start = (): Promise<void> => {
    waiting = null
    return (running = run())
  }
  return () => (waiting ??= running.then(start, start))
}

/** Opens or creates the file. Passes every line to `onLine`, now and at each `readNew`. */
export const openJournal = async (file: string, onLine: (line: JsonObject) => void) => {
  const handle = await openDurably(file)
  const chunk = Buffer.alloc(1024 * 1024)
  let [position, incomplete] = [0, Buffer.alloc(0)]

  const readToEnd = async (): Promise<void> => {
    for (;;) {
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, position)
      if (bytesRead === 0) return
      position += bytesRead
      const bytes = Buffer.concat([incomplete, chunk.subarray(0, bytesRead)])
      const end = bytes.lastIndexOf('\n') + 1
      incomplete = bytes.subarray(end)
      for (const text of bytes.toString('utf8', 0, end).split('\n')) {
        const line = text === '' ? null : parsed(text)
        if (line !== null) onLine(line)
      }
    }
  }

  /** After a failed sync the content of the disk is unknown, so no further write may be acknowledged. */
  let isSynced = true
  let pending = ''
  /** One `write` to a file that is open for appending: the system adds it after the writes of all other processes. */
  const write = coalesced(async () => {
    const text = pending
    pending = ''
    if (!isSynced) throw new Error('the disk has failed before')
    const { bytesWritten } = await handle.write(text)
    if (bytesWritten < Buffer.byteLength(text)) throw new Error('the disk has written only a part of a line')
    isSynced = false
    // The lines are in the file, so the code of this error must not mean that they are not.
    await handle.datasync().catch((error: unknown) => {
      throw new Error('the disk may have lost lines', { cause: error })
    })
    isSynced = true
  })

  const readNew = coalesced(readToEnd)
  await readNew()
  return {
    readNew,
    /** Without a line it tests whether the file can be written. The first line feed ends a truncated line. */
    append: (line?: JsonObject): Promise<void> => {
      pending += `\n${line === undefined ? '' : JSON.stringify(line)}\n`
      return write()
    },
    close: (): Promise<void> => handle.close(),
  }
}
