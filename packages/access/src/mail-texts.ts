/** The mail that people receive (docs/behaviour/accounts.md#mail). */
import { asLine } from '@publishing-service/domain/declare'
import { hour, serviceName } from './account.js'
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

// An earlier release has accepted names of several lines.
const english = {
  greeting: (name: string) => `Hello ${asLine(name)},`,
  hours: (count: number) => `The link works once, within ${count === 1 ? 'an hour' : `${count} hours`}.`,
  otherwise: otherwise.en,
}

const german = {
  greeting: (name: string) => `Guten Tag ${asLine(name)},`,
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
    confirmation: {
      ...english,
      subject: `Confirm your e-mail address for ${serviceName}`,
      purpose:
        'your account has this e-mail address now. Confirm that it is yours with this link, signed in to the account:',
      button: 'Confirm the address',
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
    confirmation: {
      ...german,
      subject: `Ihre E-Mail-Adresse für ${serviceName} bestätigen`,
      purpose:
        'Ihr Konto hat jetzt diese E-Mail-Adresse. Bestätigen Sie mit diesem Link, angemeldet im Konto, dass sie Ihnen gehört:',
      button: 'Adresse bestätigen',
    },
  },
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => entities[character] ?? '')

type Reader = Pick<User, 'name' | 'language'>

const page = (language: string, paragraphs: readonly string[]): string =>
  [
    `<!DOCTYPE html><html lang="${language}"><body style="font-family:sans-serif;line-height:1.5">`,
    ...paragraphs.map((each) => `<p>${each}</p>`),
    '</body></html>',
  ].join('\n')

/** The mail with a link, in the language of the person; in English if they have chosen none. */
export const linkMail = (kind: MailedKind, { name, language }: Reader, address: string): MailText => {
  const { subject, greeting, purpose, button, hours, otherwise: rest } = words[language ?? 'en'][kind]
  const validity = hours(linkHours[kind])
  return {
    subject,
    text: [greeting(name), '', purpose, '', address, '', validity, rest, ''].join('\n'),
    html: page(language ?? 'en', [
      escaped(greeting(name)),
      escaped(purpose),
      `<a href="${escaped(address)}">${escaped(button)}</a>`,
      escaped(address),
      `${escaped(validity)} ${escaped(rest)}`,
    ]),
  }
}

const formerAddress = {
  en: {
    subject: `The e-mail address of your account for ${serviceName} was changed`,
    change: 'your account has another e-mail address now, and this one is not used any more.',
    otherwise:
      'If you do not know why, tell the people who run the service: somebody else may use your account.',
  },
  de: {
    subject: `Die E-Mail-Adresse Ihres Kontos für ${serviceName} wurde geändert`,
    change: 'Ihr Konto hat jetzt eine andere E-Mail-Adresse, diese wird nicht mehr verwendet.',
    otherwise:
      'Wenn Sie nicht wissen, warum, melden Sie sich bei denen, die den Dienst betreiben: Vielleicht nutzt jemand anderes Ihr Konto.',
  },
} as const

/** The mail to the former address of a person, in their language. The new address is not in it. */
export const formerAddressMail = ({ name, language }: Reader): MailText => {
  const { subject, change, otherwise: rest } = formerAddress[language ?? 'en']
  const greeting = (language === 'de' ? german : english).greeting(name)
  return {
    subject,
    text: [greeting, '', change, '', rest, ''].join('\n'),
    html: page(language ?? 'en', [greeting, change, rest].map(escaped)),
  }
}

/** How long a mail to a former address is sent again that could not be sent, in milliseconds. */
export const formerAddressTime = linkHours.confirmation * hour

/**
 * Whether a link was mailed: `sending` if the mail server has not answered within two seconds, `waiting` while it is out of
 * reach, `off` without one or without an address.
 */
export const mailStates = ['sent', 'sending', 'waiting', 'off'] as const
export type MailState = (typeof mailStates)[number]

const minute = 60_000

/** Milliseconds until a mail is sent again that could not be sent so many times: from a minute to an hour. */
export const mailPause = (failures: number): number => Math.min(2 ** (failures - 1), 60) * minute
