/** Ways to sign in without cryptography and servers: a test chooses every answer. */
import { E } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import type {
  ExternalIdentity,
  IdentityProvider,
  Mail,
  MailSender,
  OneTimeCodes,
  Passkeys,
  PasswordStrength,
  Refusal,
} from '@publishing-service/ports'

const refusal = (reason: string): E.Either<Refusal, never> => E.left({ _tag: 'Refusal', reason })

const claimed: Passkeys['claimed'] = ({ challenge, id }) =>
  typeof challenge === 'string' && typeof id === 'string' ? { challenge, id } : null

const isFor = (challenge: string, answer: JsonObject): boolean => claimed(answer)?.challenge === challenge

/** An answer is an object with the challenge and the id of the passkey. */
export const simplePasskeys = (): Passkeys => {
  let requests = 0
  const request = async () => {
    const challenge = `challenge-${(requests += 1)}`
    return { options: { challenge }, challenge }
  }
  return {
    creation: request,
    verifyCreation: async (_party, challenge, answer) => {
      const found = claimed(answer)
      return found === null || !isFor(challenge, answer)
        ? refusal('it is for another challenge')
        : E.right({
            id: found.id,
            publicKey: `key of ${found.id}`,
            counter: 0,
            transports: [],
            isSynced: true,
          })
    },
    use: request,
    claimed,
    verifyUse: async (_party, challenge, passkey, answer) =>
      isFor(challenge, answer) && claimed(answer)?.id === passkey.id
        ? E.right({ ...passkey, counter: passkey.counter + 1 })
        : refusal('it is for another challenge or passkey'),
  }
}

const stepTime = 30_000

/** The last six digits of its step are a code. */
export const simpleOneTimeCodes: OneTimeCodes & {
  readonly codeAt: (now: number) => string
} = {
  newSecret: () => 'SECRET',
  address: (secret, service, person) => `otpauth://totp/${service}:${person}?secret=${secret}`,
  codeAt: (now) => String(Math.floor(now / stepTime)).slice(-6),
  stepOf: (_secret, code, now) => {
    const step = Math.floor(now / stepTime)
    return (
      [step - 1, step, step + 1].find((each) => simpleOneTimeCodes.codeAt(each * stepTime) === code) ?? null
    )
  },
}

/** Passwords that contain `password`, and personal texts, are weak. */
export const simplePasswordStrength: PasswordStrength = {
  isWeak: async (password, personal) => password.includes('password') || personal.includes(password),
}

/** Records mail in place of sending it. */
export const recordingMailSender = (): MailSender & { readonly sent: readonly Mail[] } => {
  const sent: Mail[] = []
  return {
    sent,
    send: (mail) => async () => {
      sent.push(mail)
      return E.right(undefined)
    },
    check: () => async () => E.right(undefined),
    close: async () => undefined,
  }
}

/** A provider whose codes are the identities that they name. */
export const simpleIdentityProvider = (
  people: Readonly<Record<string, ExternalIdentity>>,
): IdentityProvider => {
  let begun = 0
  return {
    check: () => async () => E.right(undefined),
    begin: (callback) => async () => {
      const state = `state-${(begun += 1)}`
      const query = new URLSearchParams({ redirect_uri: callback, state })
      return E.right({
        address: `https://id.example.org/authorize?${query.toString()}`,
        secrets: { state, nonce: `nonce-${begun}`, verifier: `verifier-${begun}` },
      })
    },
    finish:
      (callback, returned, { state }) =>
      async () => {
        const query = new URL(returned, callback).searchParams
        const person = people[query.get('code') ?? '']
        return query.get('state') === state && person !== undefined
          ? E.right(person)
          : refusal('the state or the code is wrong')
      },
    signOut: (next) => async () =>
      E.right(`https://id.example.org/sign-out?next=${encodeURIComponent(next)}`),
  }
}
