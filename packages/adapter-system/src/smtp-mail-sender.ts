/** Sends mail by SMTP. A message has one recipient, and a separate connection. */
import { setTimeout as delay } from 'node:timers/promises'
import { E, type TaskEither } from '@publishing-service/domain/fp'
import { portFailure, type MailSender, type PortFailure } from '@publishing-service/ports'

export type SmtpMailSenderOptions = {
  /** Such as `smtps://user:password@mail.example.org`; `smtp:` encrypts with STARTTLS if the server can. */
  readonly url: string
  /** An address, or `Name <address>`. */
  readonly from: string
  /** Milliseconds that sending takes at most. */
  readonly timeout?: number
}

const defaultTimeout = 29_000

const part = 'mail server'

/** Neither a list of addresses nor an address with a name or a comment. */
const oneAddress = /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

const connectionOf = (url: string, timeout: number) => {
  const { protocol, hostname, port, username, password } = new URL(url)
  const isEncrypted = protocol === 'smtps:'
  const hasLogin = username !== ''
  const isOfThisMachine = loopback.has(hostname)
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (isEncrypted ? 465 : 587) : Number(port),
    secure: isEncrypted,
    // A password is never sent without encryption. Servers of this machine need none, and have no valid certificate for it.
    requireTLS: hasLogin && !isEncrypted && !isOfThisMachine,
    ignoreTLS: isOfThisMachine,
    ...(hasLogin ? { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } } : {}),
    dnsTimeout: timeout,
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    socketTimeout: timeout,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** Imports the library. */
export const smtpMailSender = async ({
  url,
  from,
  timeout = defaultTimeout,
}: SmtpMailSenderOptions): Promise<MailSender> => {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport(connectionOf(url, timeout))

  /** What the server is asked for, within the time. */
  const inTime =
    (ask: () => Promise<unknown>): TaskEither<PortFailure, void> =>
    async () => {
      const ended = new AbortController()
      const tooLate = async () => {
        await delay(timeout, undefined, { signal: ended.signal })
        throw new Error(`it took longer than ${timeout} milliseconds`)
      }
      try {
        await Promise.race([ask(), tooLate()])
        return E.right(undefined)
      } catch (error) {
        return E.left(portFailure(part, error))
      } finally {
        ended.abort()
      }
    }

  return {
    send: ({ to, subject, text, html }) =>
      oneAddress.test(to)
        ? inTime(() =>
            transport.sendMail({
              from,
              to: { name: '', address: to },
              subject: subject.replace(/\p{Cc}+/gu, ' '),
              text,
              html,
              headers: { 'Auto-Submitted': 'auto-generated' },
            }),
          )
        : async () => E.left(portFailure(part, new Error('the recipient is no address'))),
    check: () => inTime(() => transport.verify()),
    close: async () => transport.close(),
  }
}
