/** Journals that simulate failures of the disk, for tests. */
import type { openJournal } from './journal.js'

export type Fault = 'none' | 'lost responses' | 'full'

/** Opens journals with the failure that `fault` returns at the time of a write. */
export const faultyJournal =
  (open: typeof openJournal, fault: () => Fault): typeof openJournal =>
  async (file, onLine) => {
    const journal = await open(file, onLine)
    return {
      ...journal,
      append: async (line) => {
        if (fault() === 'full') throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
        await journal.append(line)
        if (fault() === 'lost responses') throw new Error('the disk does not respond')
      },
    }
  }
