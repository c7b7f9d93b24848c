import { open } from 'node:fs/promises'

/** A file that gets a line for each object; null for none. Each line is written before the work goes on. */
export const openReport = async (path: string | null) => {
  const file = path === null ? null : await open(path, 'w', 0o600)
  return {
    write: async (line: string): Promise<void> => {
      await file?.appendFile(`${line}\n`)
    },
    close: async (): Promise<void> => {
      await file?.close()
    },
  }
}
