import { linkMail, linkPath, mailPause, type MailState } from '@publishing-service/access'
import { E, t } from '@publishing-service/domain/fp'
import type { Document } from '@publishing-service/ports'
import { attempt } from '../attempt.js'
import { systemCollections, systemInstance } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import { documentsIn } from '../instance-store.js'
import type { Ports } from '../ports.js'
import type { MailedLink, SignInLinks } from './sign-in-links.js'
import type { Accounts } from './stored-account.js'

const { name: collection } = systemCollections.waitingMail

/** Mail that was not sent yet, under the id of its link. It has neither the token of the link nor the address of the person. */
const StoredMail = t.readonly(
  t.type({
    user: t.string,
    /** The address of the dashboard. */
    dashboard: t.string,
    attempts: t.number,
    /** When it is sent again, in milliseconds since 1970, unless it was sent before. */
    next: t.number,
    /** When the link ends. */
    expires: t.number,
  }),
  collection,
)
type StoredMail = t.TypeOf<typeof StoredMail>

/** Milliseconds that a request waits for the mail server. */
const patience = 2000
/** The most mail that is sent in one run. */
const batch = 100

/** Mails links to people. What could not be sent is sent again, also after a restart and by other processes. */
export type MailQueue = {
  /** Mails a link that was made just now, and waits for the mail server for two seconds. Throws a PortFailure. */
  readonly send: (link: MailedLink, user: string, dashboard: string) => Promise<MailState>
  /** Sends what waits and whose pause is over, and returns how much was sent. Throws a PortFailure. */
  readonly sendWaiting: () => Promise<number>
}

type Services = Pick<Ports, 'documents' | 'clock' | 'log' | 'mailSender'> & {
  readonly accounts: Accounts
  readonly signInLinks: SignInLinks
}

export const createMailQueue = ({
  documents: all,
  clock,
  log,
  mailSender,
  accounts,
  signInLinks,
}: Services): MailQueue => {
  const documents = documentsIn(all, systemInstance)

  const remove = async ({ id, version }: Pick<Document, 'id' | 'version'>): Promise<void> => {
    await documents.remove(collection, id, version)
  }

  /** Whether the mail was sent. The address of the person is not logged. */
  const deliver = async (
    waiting: Pick<Document, 'id' | 'version'>,
    { user, dashboard, attempts }: StoredMail,
    { kind, token }: MailedLink,
  ): Promise<boolean> => {
    const person = await accounts.user(user)
    if (mailSender === null || person === null || person.email === null || person.disabled) {
      await remove(waiting)
      return false
    }
    const mail = linkMail(kind, person, `${dashboard}/${linkPath(token)}`)
    const sent = await mailSender.send({ to: person.email, ...mail })()
    if (E.isLeft(sent)) {
      log.write('warn', 'mail not sent', { reason: sent.left.reason, attempts })
      return false
    }
    // If the store fails here, the mail is sent twice.
    await attempt(() => remove(waiting))
    return true
  }

  return {
    send: async (link, user, dashboard) => {
      if (mailSender === null) return 'off'
      const value: StoredMail = {
        user,
        dashboard,
        attempts: 1,
        next: clock.now() + mailPause(1),
        expires: link.expires,
      }
      // Written before the attempt, because the process may end meanwhile.
      const stored = await documents.insert(collection, { id: link.id, unique: null, value })
      if (E.isLeft(stored)) throw new Error(`mail was rejected: ${stored.left._tag}`)
      const delivery = deliver(stored.right, value, link)
      return Promise.race([
        delivery.then((isSent): MailState => (isSent ? 'sent' : 'waiting')),
        clock.wait(patience).then((): MailState => 'sending'),
      ])
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
        const link = await signInLinks.another(id)
        if (link === null) await remove(planned.right)
        else if (await deliver(planned.right, next, link)) sent += 1
      }
      return sent
    },
  }
}
