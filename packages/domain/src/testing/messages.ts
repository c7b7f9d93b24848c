/** Faults as tests compare them. */
import type { Fault } from '../fault.js'

/** The message of each fault, by its path. */
export const messages = (faults: readonly Fault[]): Readonly<Record<string, string>> =>
  Object.fromEntries(faults.map(({ path, message }) => [path, message]))
