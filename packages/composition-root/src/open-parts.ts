import type { Container } from 'inversify'
import { resolve, tokens } from './tokens.js'

/** The parts that hold connections, files or threads, in the order in which they are closed. */
export const closedParts = [tokens.imaging, tokens.blobs, tokens.documents] as const

/** Opens these parts concurrently. Waits for all of them, so that none is opened after `close`. */
export const openParts = async (container: Container): Promise<void> => {
  const parts = await Promise.allSettled(closedParts.map((part) => resolve<unknown>(container, part)))
  for (const part of parts) if (part.status === 'rejected') throw part.reason
}
