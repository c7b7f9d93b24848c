/**
 * The temporary files of running writes and removals. Each name states the process that created it. When a store opens,
 * it removes the files of processes that have ended, and no others.
 */
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { nullIfAbsent } from './file-system.js'
import { livenessOf, type WritingProcess } from './writing-process.js'

/** A process on another machine is considered ended if it has not changed its file for this time. */
const maxUntouchedMs = 24 * 60 * 60 * 1000

const namePattern = /^([0-9a-f]{16})-([0-9]{1,12})-([0-9]{1,16})-[0-9a-f]{16}$/

const writerOf = (name: string): WritingProcess | null => {
  const [, system, pid, start] = namePattern.exec(name) ?? []
  return system === undefined ? null : { system, pid: Number(pid), start: Number(start) }
}

/** What the names of the temporary files of a process begin with; 16 hexadecimal digits follow. */
export const temporaryPrefix = ({ system, pid, start }: WritingProcess): string =>
  `${system}-${pid}-${start}-`

const millisecondsUntouched = async (path: string): Promise<number> => {
  const found = await nullIfAbsent(stat(path))
  // If it no longer exists, its process has just finished.
  return found === null ? 0 : Date.now() - found.mtimeMs
}

const isAbandoned = async (folder: string, name: string, self: WritingProcess): Promise<boolean> => {
  const writer = writerOf(name)
  if (writer === null) return false
  const liveness = await livenessOf(writer, self)
  return liveness === 'elsewhere'
    ? (await millisecondsUntouched(join(folder, name))) > maxUntouchedMs
    : liveness === 'dead'
}

export const removeAbandoned = async (folder: string, self: WritingProcess): Promise<void> => {
  for (const name of await readdir(folder)) {
    if (await isAbandoned(folder, name, self)) await rm(join(folder, name), { recursive: true, force: true })
  }
}
