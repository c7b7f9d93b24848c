/**
 * Determines whether the process that created a file is still running. A process is identified by its system (the boot
 * of the machine and the process namespace), its id and its start time, since ids are reused.
 */
import { createHash } from 'node:crypto'
import { readFile, readlink } from 'node:fs/promises'
import { hostname } from 'node:os'

export type WritingProcess = {
  /** 16 hexadecimal digits. Processes of the same system can see each other. */
  readonly system: string
  readonly pid: number
  /** Distinguishes processes that had the same id. The unit depends on the system. */
  readonly start: number
}

/** `elsewhere`: on another machine, in another container, or before the last boot. */
export type Liveness = 'alive' | 'dead' | 'elsewhere'

const emptyIfUnreadable = async (reading: Promise<string>): Promise<string> => {
  try {
    return await reading
  } catch {
    return ''
  }
}

/**
 * The start time in clock ticks since boot; `ended` for a zombie process; null if the system has no `/proc` or does not
 * show this process.
 */
const startTimeOf = async (pid: number | 'self'): Promise<number | 'ended' | null> => {
  const line = await emptyIfUnreadable(readFile(`/proc/${pid}/stat`, 'latin1'))
  if (line === '') return null
  // The second field is the command in parentheses, with any characters. The fields after it have no spaces.
  const [state, ...fields] = line.slice(line.lastIndexOf(')') + 2).split(' ')
  return state === 'Z' || state === 'X' ? 'ended' : Number(fields[18])
}

export const thisProcess = async (): Promise<WritingProcess> => {
  const boot = await emptyIfUnreadable(readFile('/proc/sys/kernel/random/boot_id', 'latin1'))
  const namespace = await emptyIfUnreadable(readlink('/proc/self/ns/pid'))
  const system = createHash('sha256')
    .update(`${hostname()}\n${boot}\n${namespace}`)
    .digest('hex')
    .slice(0, 16)
  const start = await startTimeOf('self')
  return {
    system,
    pid: process.pid,
    start: typeof start === 'number' ? start : Math.trunc(performance.timeOrigin),
  }
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // A process of another user: the signal is not permitted, but the process exists.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

export const livenessOf = async (writer: WritingProcess, self: WritingProcess): Promise<Liveness> => {
  if (writer.system !== self.system) return 'elsewhere'
  if (writer.pid === self.pid) return writer.start === self.start ? 'alive' : 'dead'
  if (!isRunning(writer.pid)) return 'dead'
  const start = await startTimeOf(writer.pid)
  // Without a start time, the id decides: a temporary file too many is better than a broken write.
  return start === null || start === writer.start ? 'alive' : 'dead'
}
