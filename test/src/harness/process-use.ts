/** The processor time and memory of a process, as Linux reports them; null on other systems. */
import { readFile } from 'node:fs/promises'

const textOf = async (path: string): Promise<string | null> => {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    // ESRCH: the process has ended since the file was opened.
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code === 'ENOENT' || code === 'ESRCH') return null
    throw error
  }
}

export type Memory = {
  /** Bytes that are resident now. */
  readonly resident: number
  /** The most bytes that were resident at once since the process started. */
  readonly peak: number
}

export const memoryOf = async (pid: number): Promise<Memory | null> => {
  const status = await textOf(`/proc/${pid}/status`)
  if (status === null) return null
  const kibibytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0)
  return { resident: kibibytes('VmRSS') * 1024, peak: kibibytes('VmHWM') * 1024 }
}

/** Linux counts in hundredths of a second, whatever its own clock ticks. */
const ticksPerSecond = 100

/** Seconds of processor time that the process and its children have used, all their threads together. */
export const processorSecondsOf = async (pid: number): Promise<number | null> => {
  const line = await textOf(`/proc/${pid}/stat`)
  if (line === null) return null
  // The name is in parentheses and may contain any text; fields 14 to 17 are its time and that of children that have ended.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
  const own = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) / ticksPerSecond
  const children = ((await textOf(`/proc/${pid}/task/${pid}/children`)) ?? '').split(' ').filter(Boolean)
  const seconds = await Promise.all(children.map((child) => processorSecondsOf(Number(child))))
  return seconds.reduce<number>((sum, child) => sum + (child ?? 0), own)
}
