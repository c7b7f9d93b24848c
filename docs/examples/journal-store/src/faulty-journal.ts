/** Journals that fail as disks do, for the tests. */
import type { openJournal } from './journal.js'

export type Fault = 'none' | 'lost answers' | 'full'

/** Opens journals that fail in the way that `fault` names at the time. */
export const faultyJournal =
  (open: typeof openJournal, fault: () => Fault): typeof openJournal =>
  async (file, take) => {
    const journal = await open(file, take)
    return {
      ...journal,
      append: async (line) => {
        if (fault() === 'full') throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
        await journal.append(line)
        if (fault() === 'lost answers') throw new Error('the disk has gone away')
      },
    }
  }
