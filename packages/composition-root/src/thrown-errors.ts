/** What thrown errors say. */

/** The message of an error, without its stack. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The code of a system error, such as EACCES; null for other errors. */
export const systemCode = (error: unknown): string | null =>
  error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : null
