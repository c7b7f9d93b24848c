/** Mail with a link that confirms an address (docs/behaviour/accounts.md#addresses). */
import type { MailState } from '@publishing-service/access'
import { fail } from '../attempt.js'
import { createSharedAttempts } from '../access/shared-attempts.js'
import type { SharedRates } from '../access/shared-rates.js'
import type { Recorded } from '../recording.js'
import type { Ports } from '../ports.js'
import type { MailQueue } from './mail-queue.js'
import type { IssuedLink, SignInLinks } from './sign-in-links.js'
import type { NamedUser } from './stored-account.js'

export type EmailConfirmation = {
  /** Throws TooManyRequests if the person was sent as many mails as is permitted: the address may belong to somebody else. */
  readonly requireMore: (user: string) => void
  /** Mails a link to the address of the person, unless they have none. `dashboard` is the address of the dashboard. Throws a Failure. */
  readonly send: (person: NamedUser, dashboard: string, recorded?: Recorded<IssuedLink>) => Promise<MailState>
}

export const createEmailConfirmation = ({
  clock,
  mailSender,
  mailQueue,
  signInLinks,
  sharedRates,
}: Pick<Ports, 'clock' | 'mailSender'> & {
  readonly mailQueue: Pick<MailQueue, 'send'>
  readonly signInLinks: Pick<SignInLinks, 'create'>
  readonly sharedRates: Pick<SharedRates, 'share'>
}): EmailConfirmation => {
  const ofPerson = createSharedAttempts(clock, sharedRates, 'confirmation_of_person')
  return {
    requireMore: (user) => {
      const { wait: retryAfter } = ofPerson.of(user)
      if (retryAfter !== null) fail({ _tag: 'TooManyRequests', retryAfter })
    },
    send: async ({ id, user: { email } }, dashboard, recorded) => {
      // Without mail there is no link that could confirm anything.
      if (mailSender === null || email === null) return 'off'
      ofPerson.add(id)
      const link = await signInLinks.create(id, 'confirmation', recorded, { email })
      return mailQueue.send(link, id, dashboard)
    },
  }
}
