/** Faults as tests compare them. */
import type { Fault, FaultCode } from '../fault.js'

/** The message of each fault, by its path. */
export const messages = (faults: readonly Fault[]): Readonly<Record<string, string>> =>
  Object.fromEntries(faults.map(({ path, message }) => [path, message]))

/** The code of each fault, by its path. */
export const codes = (faults: readonly Fault[]): Readonly<Record<string, FaultCode>> =>
  Object.fromEntries(faults.map(({ path, code }) => [path, code]))
