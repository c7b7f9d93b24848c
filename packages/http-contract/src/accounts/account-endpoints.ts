import type { JsonObject } from '@publishing-service/domain/json'
import type { Schema } from '@publishing-service/domain/declare'
import {
  type Account,
  accountChange,
  accountShape,
  attemptLimits,
  challengeMinutes,
  codeActivation,
  deploymentOperations,
  entryKinds,
  forgottenPassword,
  identityShape,
  keySignIn,
  linkAcceptance,
  linkHours,
  type LinkKind,
  linkPath,
  linkRequest,
  type MailState,
  mailStates,
  maxKeyedWaysIn,
  minPasswordCharacters,
  newPasskey,
  newPassword,
  passkeyChange,
  passkeyShape,
  passkeySignIn,
  passwordSignIn,
  providerErrors,
  recentSignInMinutes,
  sessionRows,
  shownLinkShape,
  signedOutShape,
  signInWaysShape,
  usedLinkShape,
  visitorOperations,
} from '@publishing-service/access'
import { utcTime } from '@publishing-service/domain/time'
import { dashboardPath } from '../dashboard-path.js'
import { deploymentEndpoint, serviceEndpoint } from '../endpoint.js'
import type { NamedShape } from '../payload.js'
import { deleted, fixed, itemsOf, json, rowsOf, type Response } from '../response.js'

const shapes = {
  account: { name: 'Account', description: 'The account of the caller.', shape: accountShape },
  signInWays: {
    name: 'SignInWays',
    description: 'The ways in that the service offers.',
    shape: signInWaysShape,
  },
  signedOut: { name: 'SignedOut', description: 'There is no session.', shape: signedOutShape },
  shownLink: {
    name: 'SignInLink',
    description: 'A link, and the person whom it is for.',
    shape: shownLinkShape,
  },
  usedLink: {
    name: 'UsedSignInLink',
    description: 'The account is set up, and the link is used up.',
    shape: usedLinkShape,
  },
  accountChange: {
    name: 'AccountChange',
    description: 'What a person can change in their own account.',
    shape: accountChange,
  },
  password: { name: 'NewPassword', description: 'A new password.', shape: newPassword },
  newPasskey: { name: 'NewPasskey', description: 'A new passkey.', shape: newPasskey },
  passkeyChange: {
    name: 'PasskeyChange',
    description: 'What can be changed in a passkey.',
    shape: passkeyChange,
  },
  codeActivation: {
    name: 'CodeActivation',
    description: 'The code with which one-time codes are activated.',
    shape: codeActivation,
  },
  passkey: { name: 'AccountPasskey', description: 'A passkey of the caller.', shape: passkeyShape },
  identity: {
    name: 'AccountIdentity',
    description: 'An identity of the caller at a provider.',
    shape: identityShape,
  },
  passkeySignIn: {
    name: 'PasskeySignIn',
    description: 'A passkey that was used, to begin a session with.',
    shape: passkeySignIn,
  },
  keySignIn: { name: 'KeySignIn', description: 'A key, to begin a session with.', shape: keySignIn },
  passwordSignIn: {
    name: 'PasswordSignIn',
    description: 'Address, password and code of a person, to begin a session with.',
    shape: passwordSignIn,
  },
  forgotten: {
    name: 'ForgottenPassword',
    description: 'The address of a person who has forgotten their password.',
    shape: forgottenPassword,
  },
  link: { name: 'LinkToken', description: 'Names a link.', shape: linkRequest },
  linkAcceptance: {
    name: 'LinkAcceptance',
    description: 'What the person who uses a link chooses.',
    shape: linkAcceptance,
  },
} as const satisfies Readonly<Record<string, NamedShape>>

const recentSignIn = `a sign-in within the last ${recentSignInMinutes} minutes`
const needsRecentSignIn = `Needs a session and ${recentSignIn}.`
const needsOtherWayIn = `Needs a session, ${recentSignIn} and another way in.`

const text = (description: string): Schema => ({ type: 'string', description })
const uuid: Schema = { type: 'string', format: 'uuid', description: 'Identifier of the user.' }
const kind: Schema = { type: 'string', enum: entryKinds, description: 'What the link is for.' }
const mailed: Schema = {
  type: 'string',
  enum: mailStates,
  description:
    'Whether it was mailed to the person: `sending` if the mail server has not answered within two seconds, `waiting` while it is out of reach, `off` without one or without an address.',
}

const done = (name: string, description: string): Response<unknown> => ({
  payload: fixed(name, description, { msg: text('What was done.') }),
  encode: () => json({ msg: 'updated' }),
})
const accountChanged = done('AccountChanged', 'The account was changed.')
/** Options for `startRegistration` and `startAuthentication` of `@simplewebauthn/browser`. */
const browserOptions = fixed(
  'PasskeyOptions',
  `Options for the browser. It answers within ${challengeMinutes} minutes.`,
  {
    options: {
      type: 'object',
      description:
        'Options of WebAuthn as JSON, for `@simplewebauthn/browser` and for `PublicKeyCredential`.',
    },
  },
)
const optionsForBrowser: Response<JsonObject> = {
  payload: browserOptions,
  encode: (options) => json({ options }),
}
const removed: Response<unknown> = { payload: deleted.payload, encode: () => json({ msg: 'deleted' }) }

/** Own accounts, sessions, and links for other people (docs/behaviour/accounts.md). */
export const accountEndpoints = {
  readAccount: deploymentEndpoint({
    operation: deploymentOperations.readAccount,
    id: 'readAccount',
    method: 'GET',
    path: '/account',
    body: 'none',
    summary: 'Read your account',
    caching: 'unstored',
    description:
      'What the person is called, and the ways in that the account has. Nothing secret is returned.',
    input: () => null,
    response: {
      payload: { _tag: 'Object', of: shapes.account },
      encode: (account: Account) => json(account),
    },
  }),
  changeAccount: deploymentEndpoint({
    operation: deploymentOperations.changeAccount,
    id: 'changeAccount',
    method: 'PATCH',
    path: '/account',
    body: 'object',
    summary: 'Change your account',
    description: `Name, e-mail address, language and picture. Another e-mail address needs a session and ${recentSignIn}. The new address is not confirmed: a link that confirms it is mailed there, and the former address receives a mail about the change.`,
    requestPayload: { _tag: 'Object', of: shapes.accountChange },
    input: ({ body, base }) => ({ body, dashboard: `${base}${dashboardPath}` }),
    response: accountChanged,
  }),
  mailConfirmation: deploymentEndpoint({
    operation: deploymentOperations.mailConfirmation,
    id: 'mailConfirmation',
    method: 'POST',
    path: '/account/email-confirmation',
    body: 'none',
    summary: 'Mail the link again that confirms the address',
    description: `It works once, within ${linkHours.confirmation} hours, and takes the place of the last one. A person is sent ${attemptLimits.confirmation_of_person.most} in an hour at most.`,
    input: ({ base }) => ({ dashboard: `${base}${dashboardPath}` }),
    response: {
      payload: fixed('MailedConfirmation', 'Whether the link was mailed.', { mailed }),
      encode: ({ mailed: state }: { readonly mailed: MailState }) => json({ mailed: state }),
    },
  }),
  confirmEmail: deploymentEndpoint({
    operation: deploymentOperations.confirmEmail,
    id: 'confirmEmail',
    method: 'PUT',
    path: '/account/email-confirmation',
    body: 'object',
    summary: 'Confirm the address',
    description:
      'Takes the token of the link that was mailed to the address. Only the person who has the address can confirm it.',
    requestPayload: { _tag: 'Object', of: shapes.link },
    input: ({ body }) => ({ body }),
    response: accountChanged,
  }),
  setPassword: deploymentEndpoint({
    operation: deploymentOperations.setPassword,
    id: 'setPassword',
    method: 'PUT',
    path: '/account/password',
    body: 'object',
    summary: 'Set the own password',
    description: `${needsRecentSignIn} All other sessions of the person end. A password has at least ${minPasswordCharacters} characters and is not easily guessed.`,
    requestPayload: { _tag: 'Object', of: shapes.password },
    input: ({ body }) => ({ body }),
    response: accountChanged,
  }),
  removePassword: deploymentEndpoint({
    operation: deploymentOperations.removePassword,
    id: 'removePassword',
    method: 'DELETE',
    path: '/account/password',
    body: 'none',
    summary: 'Remove the own password',
    description: `With the one-time codes. ${needsOtherWayIn}`,
    input: () => null,
    response: removed,
  }),
  createPasskeyOptions: deploymentEndpoint({
    operation: deploymentOperations.createPasskeyOptions,
    id: 'createPasskeyOptions',
    method: 'POST',
    path: '/account/passkeys/options',
    body: 'none',
    summary: 'Create the options of a new passkey',
    description: `The browser makes a passkey by them. ${needsRecentSignIn}`,
    input: ({ base }) => ({ base }),
    response: optionsForBrowser,
  }),
  listPasskeys: deploymentEndpoint({
    operation: deploymentOperations.listPasskeys,
    id: 'listPasskeys',
    method: 'GET',
    path: '/account/passkeys',
    body: 'none',
    summary: 'List the own passkeys',
    description: 'In the order in which they were made.',
    input: () => null,
    response: itemsOf({ _tag: 'Items', name: 'Passkeys', of: shapes.passkey, most: maxKeyedWaysIn }),
  }),
  addPasskey: deploymentEndpoint({
    operation: deploymentOperations.addPasskey,
    id: 'addPasskey',
    method: 'POST',
    path: '/account/passkeys',
    body: 'object',
    summary: 'Add a passkey',
    description: `Takes what the browser has answered to the options, once. ${needsRecentSignIn}`,
    requestPayload: { _tag: 'Object', of: shapes.newPasskey },
    input: ({ body, base }) => ({ body, base }),
    response: {
      payload: { _tag: 'Object', of: shapes.passkey },
      encode: ({ shown }: { readonly shown: JsonObject }) => json(shown),
    },
  }),
  changePasskey: deploymentEndpoint({
    operation: deploymentOperations.changePasskey,
    id: 'changePasskey',
    method: 'PATCH',
    path: '/account/passkeys/{passkey}',
    body: 'object',
    summary: 'Rename a passkey',
    description: 'Gives the passkey another title.',
    requestPayload: { _tag: 'Object', of: shapes.passkeyChange },
    input: ({ path, body }) => ({ key: path.passkey, body }),
    response: accountChanged,
  }),
  removePasskey: deploymentEndpoint({
    operation: deploymentOperations.removePasskey,
    id: 'removePasskey',
    method: 'DELETE',
    path: '/account/passkeys/{passkey}',
    body: 'none',
    summary: 'Remove a passkey',
    description: needsOtherWayIn,
    input: ({ path }) => ({ key: path.passkey }),
    response: removed,
  }),
  listIdentities: deploymentEndpoint({
    operation: deploymentOperations.listIdentities,
    id: 'listIdentities',
    method: 'GET',
    path: '/account/identities',
    body: 'none',
    summary: 'List the own identities at providers',
    description: 'In the order in which the person has first signed in with them.',
    input: () => null,
    response: itemsOf({ _tag: 'Items', name: 'Identities', of: shapes.identity, most: maxKeyedWaysIn }),
  }),
  removeIdentity: deploymentEndpoint({
    operation: deploymentOperations.removeIdentity,
    id: 'removeIdentity',
    method: 'DELETE',
    path: '/account/identities/{identity}',
    body: 'none',
    summary: 'Remove an identity at a provider',
    description: needsOtherWayIn,
    input: ({ path }) => ({ key: path.identity }),
    response: removed,
  }),
  createOneTimeSecret: deploymentEndpoint({
    operation: deploymentOperations.createOneTimeSecret,
    id: 'createOneTimeSecret',
    method: 'POST',
    path: '/account/one-time-codes',
    body: 'none',
    summary: 'Create a secret for one-time codes',
    description: `For an authenticator app (RFC 6238: six digits, 30 seconds, SHA-1). It is not active until it is activated with a code, within ${challengeMinutes} minutes. Needs a password, a session and ${recentSignIn}.`,
    input: () => null,
    response: {
      payload: fixed('OneTimeSecret', 'A secret for an authenticator app. It is not shown again.', {
        secret: text('The secret, in base32.'),
        address: text('The secret as an address `otpauth://…`, for a QR code.'),
      }),
      encode: (secret: { readonly secret: string; readonly address: string }) => json(secret),
    },
  }),
  activateOneTimeCodes: deploymentEndpoint({
    operation: deploymentOperations.activateOneTimeCodes,
    id: 'activateOneTimeCodes',
    method: 'PUT',
    path: '/account/one-time-codes',
    body: 'object',
    summary: 'Activate one-time codes',
    description: `From then on a sign-in with the password needs a code. Returns recovery codes, each for one sign-in. ${needsRecentSignIn}`,
    requestPayload: { _tag: 'Object', of: shapes.codeActivation },
    input: ({ body }) => ({ body }),
    response: {
      payload: fixed('RecoveryCodes', 'What the person keeps for the loss of the authenticator.', {
        recovery_codes: {
          type: 'array',
          items: text('A recovery code.'),
          description: 'The recovery codes. They are not shown again.',
        },
      }),
      encode: ({ codes }: { readonly codes: readonly string[] }) => json({ recovery_codes: codes }),
    },
  }),
  removeOneTimeCodes: deploymentEndpoint({
    operation: deploymentOperations.removeOneTimeCodes,
    id: 'removeOneTimeCodes',
    method: 'DELETE',
    path: '/account/one-time-codes',
    body: 'none',
    summary: 'Remove one-time codes',
    description: `With the recovery codes. ${needsRecentSignIn}`,
    input: () => null,
    response: removed,
  }),
  listSessions: deploymentEndpoint({
    operation: deploymentOperations.listSessions,
    id: 'listSessions',
    method: 'GET',
    path: '/account/sessions',
    body: 'none',
    summary: 'List the own sessions',
    description: 'The sessions of the dashboard, the newest first, with browser and last use.',
    input: ({ query }) => ({ parameters: query }),
    response: rowsOf(sessionRows),
  }),
  endSession: deploymentEndpoint({
    operation: deploymentOperations.endSession,
    id: 'endSession',
    method: 'DELETE',
    path: '/account/sessions/{session}',
    body: 'none',
    summary: 'End one of the own sessions',
    description: 'It ends within five seconds on every process.',
    input: ({ path }) => ({ id: path.session }),
    response: removed,
  }),
  endSessions: deploymentEndpoint({
    operation: deploymentOperations.endSessions,
    id: 'endSessions',
    method: 'DELETE',
    path: '/account/sessions',
    body: 'none',
    summary: 'End all own sessions',
    description: 'Also the one that the request belongs to. They end within five seconds on every process.',
    input: () => null,
    response: removed,
  }),
  createLink: deploymentEndpoint({
    operation: deploymentOperations.createLink,
    id: 'createLink',
    method: 'POST',
    path: '/users/{uuid}/link',
    body: 'none',
    summary: 'Create a link for a person',
    description: `The person sets up their account with the link, or gets in again. It works once, within ${linkHours.reset} hours, and takes the place of the last link of the person. A caller who may create keys of the user may create links.`,
    input: ({ path, base }) => ({ user: path.uuid, dashboard: `${base}${dashboardPath}` }),
    response: {
      payload: fixed('IssuedLink', 'A link to hand over. Its address is not shown again.', {
        kind,
        url: { type: 'string', format: 'uri', description: 'Address of the link.' },
        expires: { type: 'string', format: 'date-time', description: 'When it ends, in UTC.' },
        mailed,
      }),
      encode: (
        link: {
          readonly kind: LinkKind
          readonly token: string
          readonly expires: number
          readonly mailed: MailState
        },
        { target: { base } },
      ) =>
        json({
          kind: link.kind,
          url: `${base}${dashboardPath}/${linkPath(link)}`,
          expires: utcTime(link.expires),
          mailed: link.mailed,
        }),
    },
  }),
  removeLinks: deploymentEndpoint({
    operation: deploymentOperations.removeLinks,
    id: 'removeLinks',
    method: 'DELETE',
    path: '/users/{uuid}/link',
    body: 'none',
    summary: 'Revoke the link of a person',
    description: 'It cannot be used any more.',
    input: ({ path }) => ({ user: path.uuid }),
    response: removed,
  }),
} as const

/** What the sign-in page sends: with it, another page could sign a person in as somebody else, or out. */
const sent = { ownPagesOnly: true } as const

const signedIn = fixed('SignedIn', 'The session has begun; its token is in a cookie.', { uuid })
const aboutCookies =
  'Begins a session of the dashboard, whose token is in a cookie that scripts cannot read. Failed attempts are limited.'

/** How people sign in. They need no token. */
export const signInEndpoints = {
  readSignIn: serviceEndpoint({
    operation: visitorOperations.readSignIn,
    id: 'readSignIn',
    method: 'GET',
    path: '/sign-in',
    body: 'none',
    summary: 'Read how people can sign in',
    description: 'The ways in that the service offers.',
    responsePayload: { _tag: 'Object', of: shapes.signInWays },
  }),
  signInWithKey: serviceEndpoint({
    ...sent,
    operation: visitorOperations.signInWithKey,
    id: 'signInWithKey',
    method: 'POST',
    path: '/sign-in/key',
    body: 'object',
    summary: 'Sign in with an API key',
    description: aboutCookies,
    requestPayload: { _tag: 'Object', of: shapes.keySignIn },
    responsePayload: signedIn,
  }),
  signInWithPassword: serviceEndpoint({
    ...sent,
    operation: visitorOperations.signInWithPassword,
    id: 'signInWithPassword',
    method: 'POST',
    path: '/sign-in/password',
    body: 'object',
    summary: 'Sign in with a password',
    description: `${aboutCookies} An unknown address and a wrong password return the same response. If the account has one-time codes, the right password without a code is \`second_factor_needed\`.`,
    requestPayload: { _tag: 'Object', of: shapes.passwordSignIn },
    responsePayload: signedIn,
  }),
  createSignInOptions: serviceEndpoint({
    ...sent,
    operation: visitorOperations.createSignInOptions,
    id: 'createSignInOptions',
    method: 'POST',
    path: '/sign-in/passkey/options',
    body: 'none',
    summary: 'Create the options of a sign-in with a passkey',
    description: 'The browser offers all passkeys of the service by them.',
    responsePayload: browserOptions,
  }),
  signInWithPasskey: serviceEndpoint({
    ...sent,
    operation: visitorOperations.signInWithPasskey,
    id: 'signInWithPasskey',
    method: 'POST',
    path: '/sign-in/passkey',
    body: 'object',
    summary: 'Sign in with a passkey',
    description: `${aboutCookies} Takes what the browser has answered to the options, once.`,
    requestPayload: { _tag: 'Object', of: shapes.passkeySignIn },
    responsePayload: signedIn,
  }),
  forgetPassword: serviceEndpoint({
    ...sent,
    operation: visitorOperations.forgetPassword,
    id: 'forgetPassword',
    method: 'POST',
    path: '/sign-in/forgotten',
    body: 'object',
    summary: 'Ask for a link for a new password',
    description: `If a person with a password has the address, a link is mailed to it, which works once within an hour. The response is the same for any address. An address of the network may ask ${attemptLimits.forgotten_of_address.most} times in an hour.`,
    requestPayload: { _tag: 'Object', of: shapes.forgotten },
    responsePayload: fixed('PasswordForgotten', 'The request was accepted.', { msg: text('What was done.') }),
  }),
  beginProviderSignIn: serviceEndpoint({
    operation: visitorOperations.beginProviderSignIn,
    id: 'beginProviderSignIn',
    method: 'GET',
    path: '/sign-in/provider',
    body: 'none',
    parameters: [
      {
        name: 'to',
        description: 'Path of the dashboard to return to, such as `/1/content`; any other value is `/`.',
        schema: { type: 'string' },
      },
    ],
    summary: 'Sign in with a provider',
    description: 'For browsers, which it leads to the provider of OpenID Connect.',
    redirects: 'To the provider, or to the dashboard with an error.',
    responsePayload: { _tag: 'Page' },
  }),
  finishProviderSignIn: serviceEndpoint({
    operation: visitorOperations.finishProviderSignIn,
    id: 'finishProviderSignIn',
    method: 'GET',
    path: '/sign-in/provider/callback',
    body: 'none',
    summary: 'Return from the provider',
    description: `The provider leads browsers here. Begins a session and leads to the dashboard, or to its sign-in page with one of these errors in \`error\`: ${providerErrors.join(', ')}.`,
    redirects: 'To the dashboard.',
    responsePayload: { _tag: 'Page' },
  }),
  signOut: serviceEndpoint({
    ...sent,
    operation: visitorOperations.signOut,
    id: 'signOut',
    method: 'POST',
    path: '/sign-out',
    body: 'none',
    summary: 'Sign out',
    description: 'Ends the session of the cookie, and removes the cookie.',
    responsePayload: { _tag: 'Object', of: shapes.signedOut },
  }),
  readLink: serviceEndpoint({
    ...sent,
    operation: visitorOperations.readLink,
    id: 'readLink',
    method: 'POST',
    path: '/sign-in/link',
    body: 'object',
    summary: 'Read what a link is for',
    description: 'The token is in the body, so that no log has it. Reading does not use the link up.',
    requestPayload: { _tag: 'Object', of: shapes.link },
    responsePayload: { _tag: 'Object', of: shapes.shownLink },
  }),
  createLinkOptions: serviceEndpoint({
    ...sent,
    operation: visitorOperations.createLinkOptions,
    id: 'createLinkOptions',
    method: 'POST',
    path: '/sign-in/link/passkey-options',
    body: 'object',
    summary: 'Create the options of a new passkey for a link',
    description: 'The browser makes a passkey by them, with which the link is used.',
    requestPayload: { _tag: 'Object', of: shapes.link },
    responsePayload: browserOptions,
  }),
  useLink: serviceEndpoint({
    ...sent,
    operation: visitorOperations.useLink,
    id: 'useLink',
    method: 'POST',
    path: '/sign-in/link/use',
    body: 'object',
    summary: 'Use a link',
    description:
      'Sets up the account with a password, a passkey or both, uses the link up, and begins a session. A link of the kind `forgotten` is for a new password only, and begins no session where the account has one-time codes.',
    requestPayload: { _tag: 'Object', of: shapes.linkAcceptance },
    responsePayload: { _tag: 'Object', of: shapes.usedLink },
  }),
}
