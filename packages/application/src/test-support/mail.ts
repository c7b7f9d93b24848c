/** Mail to people on a stage. */
import { recordingMailSender } from '@publishing-service/adapter-memory'
import { E } from '@publishing-service/domain/fp'
import type { Mail, MailSender } from '@publishing-service/ports'
import { dashboard, email, visit } from './people.js'
import { unavailable, type Stage } from './stage.js'

/** A mail server that can be unreachable for a time. */
export const unreliableMail = () => {
  const sender = recordingMailSender()
  const state = { isAway: false }
  const mailSender: MailSender = {
    ...sender,
    send: (mail) => (state.isAway ? async () => E.left(unavailable) : sender.send(mail)),
  }
  return { mailSender, sent: sender.sent, state }
}

/** The token of the link in a mail; empty if there is none. */
export const tokenIn = (mail: Pick<Mail, 'text'> | undefined, kind: 'link' | 'confirm' = 'link'): string =>
  new RegExp(`#/${kind}/(\\S+)`).exec(mail?.text ?? '')?.[1] ?? ''

/** Says that the password of an address is forgotten, and waits until that is done. */
export const forget = async ({ useCases }: Stage, address = email, from = visit): Promise<void> => {
  await useCases.signIn.forgotten(from, { email: address }, dashboard)
  await useCases.signIn.settled()
}
