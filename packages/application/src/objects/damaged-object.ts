import type { Session } from '../session.js'

/** The result of a function of a stored object, or null, with a log entry, if the stored state is invalid. */
export const skipIfDamaged = <A>(
  { instance, log }: Session,
  collection: string,
  id: string,
  use: () => A,
): A | null => {
  try {
    return use()
  } catch (error) {
    const reason = error instanceof Error ? error.stack : String(error)
    log.write('error', 'damaged object', { collection, instance: instance.number, id, reason })
    return null
  }
}
