import {
  formerAddressMail,
  formerAddressTime,
  linkMail,
  linkPath,
  mailPause,
  type MailState,
} from '@publishing-service/access'
import { E, t } from '@publishing-service/domain/fp'
import type { Document, Mail } from '@publishing-service/ports'
import { attempt } from '../attempt.js'
import { systemCollections, systemInstance } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import { documentsIn } from '../instance-store.js'
import type { Ports } from '../ports.js'
import type { MailedLink, SignInLinks } from './sign-in-links.js'
import type { Accounts } from './stored-account.js'

const { name: collection } = systemCollections.waitingMail

const schedule = {
  user: t.string,
  attempts: t.number,
  /** When it is sent again, in milliseconds since 1970, unless it was sent before. */
  next: t.number,
  /** Until when it is sent again: for a link, when that ends. */
  expires: t.number,
}

/**
 * Mail that was not sent yet. Mail with a link is stored under the id of the link, without its token and without the address of
 * the person. Other mail goes to the former address of a person, and says that it was changed.
 */
const StoredMail = t.readonly(
  t.union([
    t.type({ ...schedule, /** The address of the dashboard. */ dashboard: t.string }),
    t.type({ ...schedule, former_email: t.string }),
  ]),
  collection,
)
type StoredMail = t.TypeOf<typeof StoredMail>

/** Milliseconds that a request waits for the mail server. */
const patience = 2000
/** The most mail that is sent in one run. */
const batch = 100

/** Mails people. What could not be sent is sent again, also after a restart and by other processes. */
export type MailQueue = {
  /** Mails a link that was made just now, and waits for the mail server for two seconds. Throws a PortFailure. */
  readonly send: (link: MailedLink, user: string, dashboard: string) => Promise<MailState>
  /** Says to the former address of a user that it was changed, and waits as `send` does. Throws a PortFailure. */
  readonly sendToFormer: (user: string, formerEmail: string) => Promise<void>
  /** Sends what waits and whose pause is over, and returns how much was sent. Throws a PortFailure. */
  readonly sendWaiting: () => Promise<number>
}

type Services = Pick<Ports, 'documents' | 'clock' | 'ids' | 'log' | 'mailSender'> & {
  readonly accounts: Accounts
  readonly signInLinks: SignInLinks
}

export const createMailQueue = ({
  documents: all,
  clock,
  ids,
  log,
  mailSender,
  accounts,
  signInLinks,
}: Services): MailQueue => {
  const documents = documentsIn(all, systemInstance)

  const remove = async ({ id, version }: Pick<Document, 'id' | 'version'>): Promise<void> => {
    await documents.remove(collection, id, version)
  }

  /** The message of a mail; null if nobody is to receive it any more. */
  const messageOf = async (waiting: StoredMail, link: MailedLink | null): Promise<Mail | null> => {
    const person = await accounts.user(waiting.user)
    if (person === null) return null
    if ('former_email' in waiting) return { to: waiting.former_email, ...formerAddressMail(person) }
    if (link === null || person.email === null || person.disabled) return null
    return { to: person.email, ...linkMail(link.kind, person, `${waiting.dashboard}/${linkPath(link)}`) }
  }

  /** Whether the mail was sent. The address of the person is not logged. */
  const deliver = async (
    document: Pick<Document, 'id' | 'version'>,
    waiting: StoredMail,
    link: MailedLink | null,
  ): Promise<boolean> => {
    const mail = mailSender === null ? null : await messageOf(waiting, link)
    if (mailSender === null || mail === null) {
      await remove(document)
      return false
    }
    const sent = await mailSender.send(mail)()
    if (E.isLeft(sent)) {
      log.write('warn', 'mail not sent', { reason: sent.left.reason, attempts: waiting.attempts })
      return false
    }
    // If the store fails here, the mail is sent twice.
    await attempt(() => remove(document))
    return true
  }

  /** Sends a mail for the first time. */
  const begin = async (id: string, value: StoredMail, link: MailedLink | null): Promise<MailState> => {
    // Written before the attempt, because the process may end meanwhile.
    const stored = await documents.insert(collection, { id, unique: null, value })
    if (E.isLeft(stored)) throw new Error(`mail was rejected: ${stored.left._tag}`)
    const delivery = deliver(stored.right, value, link)
    return Promise.race([
      delivery.then((isSent): MailState => (isSent ? 'sent' : 'waiting')),
      clock.wait(patience).then((): MailState => 'sending'),
    ])
  }

  const firstAttempt = (user: string) => ({ user, attempts: 1, next: clock.now() + mailPause(1) })

  return {
    send: async (link, user, dashboard) =>
      mailSender === null
        ? 'off'
        : begin(link.id, { ...firstAttempt(user), dashboard, expires: link.expires }, link),

    sendToFormer: async (user, formerEmail) => {
      if (mailSender === null) return
      const expires = clock.now() + formerAddressTime
      await begin(ids.uuid(), { ...firstAttempt(user), former_email: formerEmail, expires }, null)
    },

    sendWaiting: async () => {
      if (mailSender === null) return 0
      const due = await documents.find(collection, {
        where: [{ key: 'next', below: clock.now() + 1 }],
        order: [{ key: 'next', direction: 'asc' }],
        skip: 0,
        limit: batch,
        detail: 'full',
      })
      let sent = 0
      for (const { id, version, value } of due.documents) {
        const before = decodeStored(StoredMail, { id, value })
        const attempts = before.attempts + 1
        const next: StoredMail = { ...before, attempts, next: clock.now() + mailPause(attempts) }
        const planned = await documents.replace(collection, { id, version, unique: null, value: next })
        // Another process sends it.
        if (E.isLeft(planned)) continue
        const link = 'former_email' in before ? null : await signInLinks.another(id)
        if (await deliver(planned.right, next, link)) sent += 1
      }
      return sent
    },
  }
}
