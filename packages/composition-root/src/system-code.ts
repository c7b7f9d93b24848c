/** The system's own name for an error, such as EACCES; null for an error that isn't the system's. */
export const systemCode = (error: unknown): string | null =>
  error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : null
