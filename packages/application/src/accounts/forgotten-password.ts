import { clientAddress, foldedEmail, forgottenPassword } from '@publishing-service/access'
import type { JsonObject } from '@publishing-service/domain/json'
import { fail } from '../attempt.js'
import { createSharedAttempts } from '../access/shared-attempts.js'
import type { SharedRates } from '../access/shared-rates.js'
import { draftOf } from '../administration/draft-of.js'
import type { Audit } from '../audit/audit.js'
import type { Recorded } from '../recording.js'
import { auditChangesOf } from '../deployment-operation.js'
import type { Ports } from '../ports.js'
import type { MailQueue } from './mail-queue.js'
import type { SignInLinks } from './sign-in-links.js'
import type { Accounts } from './stored-account.js'
import { sourceOfVisit, type Visit } from './visit.js'

/** Functions throw a Failure. */
export type ForgottenPassword = {
  /**
   * Mails a link for a new password to the person with the address, if there is one with a password. The response is the
   * same at the same time: everything but the limit happens in the background. `dashboard` is its address.
   */
  readonly forgotten: (visit: Visit, body: JsonObject, dashboard: string) => Promise<void>
  /** Waits for what happens in the background. */
  readonly settled: () => Promise<void>
}

type Services = Pick<Ports, 'clock' | 'log' | 'mailSender'> & {
  readonly accounts: Accounts
  readonly signInLinks: SignInLinks
  readonly mailQueue: MailQueue
  readonly audit: Pick<Audit, 'recorded'>
  readonly sharedRates: Pick<SharedRates, 'share'>
}

export const createForgottenPassword = ({
  clock,
  log,
  mailSender,
  accounts,
  signInLinks,
  mailQueue,
  audit,
  sharedRates,
}: Services): ForgottenPassword => {
  const ofAddress = createSharedAttempts(clock, sharedRates, 'forgotten_of_address')
  const ofPerson = createSharedAttempts(clock, sharedRates, 'forgotten_of_person')
  const background = new Set<Promise<void>>()

  /** Mails the link. Never rejects: nobody waits for it. */
  const mailLink = async (visit: Visit, email: string, dashboard: string): Promise<void> => {
    try {
      const person = await accounts.userWithEmail(email)
      if (person === null || person.user.disabled) return
      const { id, user } = person
      if (ofPerson.of(id).wait !== null) return
      // Mail is no way in for a person without a password: passkeys and providers are stronger.
      if ((await accounts.read(id)).password === null) return
      ofPerson.add(id)
      const created = { object: id, title: user.name, changes: { link: 'forgotten' } }
      const link = await audit.recorded(
        sourceOfVisit(visit, null),
        () => auditChangesOf('createLink', 'links', [created]),
        (recorded: Recorded<unknown>) =>
          signInLinks.create(id, 'forgotten', (_link, write) => recorded(null, write)),
      )
      await mailQueue.send(link, id, dashboard)
    } catch (error) {
      const reason = error instanceof Error ? error.stack : JSON.stringify(error)
      log.write('error', 'link for a forgotten password not mailed', { reason })
    }
  }

  return {
    forgotten: async (visit, body, dashboard) => {
      const { email } = draftOf(visit, forgottenPassword.attributes, 'put', body, null)
      if (mailSender === null) return
      const address = clientAddress(visit.address)
      const { wait: retryAfter } = ofAddress.of(address)
      if (retryAfter !== null) fail({ _tag: 'TooManyRequests', retryAfter })
      ofAddress.add(address)
      const work = mailLink(visit, foldedEmail(email), dashboard).finally(() => background.delete(work))
      background.add(work)
    },

    settled: async () => {
      await Promise.all(background)
    },
  }
}
