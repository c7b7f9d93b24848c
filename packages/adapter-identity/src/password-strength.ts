import type { PasswordStrength } from '@publishing-service/ports'
import { inThread } from './in-thread.js'
import type * as worker from './password-worker.js'

/** Estimates guesses by dictionaries of English and German words, names and common passwords. */
export const passwordStrength = (): PasswordStrength => {
  const run = inThread<typeof worker>(new URL('./password-worker.js', import.meta.url))
  return { isWeak: (password, personal) => run('isWeak', { password, personal }) }
}
