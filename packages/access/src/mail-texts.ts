/** The mail that people receive, as functions of the link that is in it (docs/behaviour/accounts.md#mail). */
import { asLine } from '@publishing-service/domain/declare'
import { serviceName } from './account.js'
import { linkHours, type LinkKind } from './links.js'
import type { User } from './user.js'

/** A message in both forms. */
export type MailText = { readonly subject: string; readonly text: string; readonly html: string }

type Words = {
  readonly subject: string
  readonly greeting: (name: string) => string
  readonly purpose: string
  readonly button: string
  readonly hours: (count: number) => string
  readonly otherwise: string
}

/** The links that people receive by mail. */
export type MailedKind = Exclude<LinkKind, 'set-up'>

const otherwise = {
  en: 'If you did not expect this mail, ignore it. Nothing changes until the link is used.',
  de: 'Wenn Sie diese Nachricht nicht erwartet haben, ignorieren Sie sie. Ohne den Link ändert sich nichts.',
} as const

const english = {
  greeting: (name: string) => `Hello ${name},`,
  hours: (count: number) => `The link works once, within ${count === 1 ? 'an hour' : `${count} hours`}.`,
  otherwise: otherwise.en,
}

const german = {
  greeting: (name: string) => `Guten Tag ${name},`,
  hours: (count: number) =>
    `Der Link gilt einmal, innerhalb von ${count === 1 ? 'einer Stunde' : `${count} Stunden`}.`,
  otherwise: otherwise.de,
}

const words: Readonly<Record<'en' | 'de', Readonly<Record<MailedKind, Words>>>> = {
  en: {
    invitation: {
      ...english,
      subject: `Your account for ${serviceName}`,
      purpose: 'an account was made for you. Set it up with this link:',
      button: 'Set up the account',
    },
    reset: {
      ...english,
      subject: `Sign in to ${serviceName} again`,
      purpose: 'with this link you get in again and choose a new way to sign in:',
      button: 'Sign in again',
    },
    forgotten: {
      ...english,
      subject: `Your new password for ${serviceName}`,
      purpose: 'a new password was requested for your account. Choose it with this link:',
      button: 'Choose a new password',
    },
  },
  de: {
    invitation: {
      ...german,
      subject: `Ihr Konto für ${serviceName}`,
      purpose: 'für Sie wurde ein Konto angelegt. Mit diesem Link richten Sie es ein:',
      button: 'Konto einrichten',
    },
    reset: {
      ...german,
      subject: `Wieder anmelden bei ${serviceName}`,
      purpose: 'mit diesem Link kommen Sie wieder hinein und wählen, wie Sie sich anmelden:',
      button: 'Wieder anmelden',
    },
    forgotten: {
      ...german,
      subject: `Ihr neues Passwort für ${serviceName}`,
      purpose: 'für Ihr Konto wurde ein neues Passwort angefordert. Mit diesem Link wählen Sie es:',
      button: 'Neues Passwort wählen',
    },
  },
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => entities[character] ?? '')

/** The mail with a link, in the language of the person; in English if it has chosen none. */
export const linkMail = (
  kind: MailedKind,
  { name, language }: Pick<User, 'name' | 'language'>,
  address: string,
): MailText => {
  const { subject, greeting, purpose, button, hours, otherwise: rest } = words[language ?? 'en'][kind]
  // An earlier release has accepted names of several lines.
  const salutation = greeting(asLine(name))
  const validity = hours(linkHours[kind])
  return {
    subject,
    text: [salutation, '', purpose, '', address, '', validity, rest, ''].join('\n'),
    html: [
      `<!DOCTYPE html><html lang="${language ?? 'en'}"><body style="font-family:sans-serif;line-height:1.5">`,
      `<p>${escaped(salutation)}</p><p>${escaped(purpose)}</p>`,
      `<p><a href="${escaped(address)}">${escaped(button)}</a></p><p>${escaped(address)}</p>`,
      `<p>${escaped(validity)} ${escaped(rest)}</p></body></html>`,
    ].join('\n'),
  }
}

/**
 * Whether a link was mailed: `sending` if the mail server has not answered within two seconds, `waiting` while it is out of
 * reach, `off` without one or without an address.
 */
export const mailStates = ['sent', 'sending', 'waiting', 'off'] as const
export type MailState = (typeof mailStates)[number]

const minute = 60_000

/** Milliseconds until a mail is sent again that could not be sent so many times: from a minute to an hour. */
export const mailPause = (failures: number): number => Math.min(2 ** (failures - 1), 60) * minute
