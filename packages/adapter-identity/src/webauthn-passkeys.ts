import type { Passkeys } from '@publishing-service/ports'
import { clientDataOf, textIn } from './client-data.js'
import { inThread } from './in-thread.js'
import type * as worker from './passkey-worker.js'

/** Passkeys by SimpleWebAuthn, whose import costs 25 MB and a quarter of a second. */
export const webauthnPasskeys = (): Passkeys => {
  const run = inThread<typeof worker>(new URL('./passkey-worker.js', import.meta.url))
  return {
    creation: (party, person, existing) => run('creation', { party, person, existing }),
    verifyCreation: (party, challenge, answer) => run('verifyCreation', { party, challenge, answer }),
    use: (party) => run('use', { party }),
    claimed: (answer) => {
      const id = textIn(answer, 'id')
      const data = clientDataOf(answer)
      return id === '' || data === null ? null : { challenge: data.challenge, id }
    },
    verifyUse: (party, challenge, passkey, answer) => run('verifyUse', { party, challenge, passkey, answer }),
  }
}
