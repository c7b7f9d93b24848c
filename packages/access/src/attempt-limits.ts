/** Limits of failed attempts to sign in, and of mail that people request (docs/behaviour/access.md#failed-attempts). */

/** How many are counted in a window of so many seconds. */
type AttemptLimit = { readonly most: number; readonly window: number }

export const attemptLimits = {
  /** Failures with one account, or one key, from one address. */
  failures: { most: 10, window: 60 },
  /** Failures from one address, with any accounts and keys. */
  failures_of_address: { most: 100, window: 60 },
  /** The same from one /56 network of IPv6, which a household may have, and from one /48 network, which a site may have. */
  failures_of_household: { most: 200, window: 60 },
  failures_of_site: { most: 400, window: 60 },
  /** Failures with one account, or one key, from all addresses. Beyond it, each address has fewer attempts, and none has no attempt. */
  failures_of_account: { most: 60, window: 60 },
  /** Failures with an account in a known browser of the person. Failures elsewhere do not count for the browser. */
  failures_of_browser: { most: 10, window: 60 },
  /** Wrong one-time codes of a person from all addresses, or in a known browser. Whoever sends them knows the password, and there are few codes. */
  codes: { most: 5, window: 60 },
  /** Requests for forgotten passwords from one address. */
  forgotten_of_address: { most: 5, window: 3600 },
  /** Mails to one person who has forgotten the password. */
  forgotten_of_person: { most: 5, window: 3600 },
  /** Mails that confirm the address of one person, which may be that of somebody else. */
  confirmation_of_person: { most: 5, window: 3600 },
} as const satisfies Readonly<Record<string, AttemptLimit>>

export type AttemptPolicy = keyof typeof attemptLimits

/** Failures that an address has with an account that many others fail with. */
const failuresUnderAttack = 3

/**
 * How many failures an address may have with an account that has so many from all addresses. Guesses from many addresses
 * become slower, and an address that has not failed can always sign in, so that nobody is locked out by others.
 */
export const failuresPerAddress = (ofAccount: number): number =>
  ofAccount < attemptLimits.failures_of_account.most ? attemptLimits.failures.most : failuresUnderAttack
