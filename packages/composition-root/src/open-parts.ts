import type { Container } from 'inversify'
import { resolve, tokens } from './tokens.js'

/** The parts that hold connections, files or threads, in the order in which they are closed. */
const closedParts = [tokens.imaging, tokens.blobs, tokens.documents] as const

/** Opens these parts concurrently. Waits for all of them, so that none is opened after `closeParts`. */
export const openParts = async (container: Container): Promise<void> => {
  const parts = await Promise.allSettled(closedParts.map((part) => resolve<unknown>(container, part)))
  for (const part of parts) if (part.status === 'rejected') throw part.reason
}

/**
 * Closes these parts, each also if another one cannot be closed. Throws the first error after that; for a part that could
 * not be opened, it is the error of its opening.
 */
export const closeParts = async (container: Container): Promise<void> => {
  const errors: unknown[] = []
  for (const part of closedParts)
    try {
      await container.unbindAsync(part)
    } catch (error) {
      errors.push(error)
    }
  if (errors.length > 0) throw errors[0]
}
