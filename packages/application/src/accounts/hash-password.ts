import { badParameters } from '@publishing-service/domain'
import { passwordFaults, personalTexts, type User, weakPassword } from '@publishing-service/access'
import type { PasswordStrength, Secrets } from '@publishing-service/ports'
import { fail } from '../attempt.js'
import { unlessBusy } from '../access/guess-limit.js'

type Services = { readonly secrets: Secrets; readonly passwordStrength: PasswordStrength }

/** Keyboards and systems send the same characters in different forms. */
const normalPassword = (password: string): string => password.normalize('NFC')

/** The hash of a new password; throws BadParameters if it is too short, or easily guessed. */
export const hashPassword = async (
  { secrets, passwordStrength }: Services,
  password: string,
  user: Pick<User, 'name' | 'email'>,
): Promise<string> => {
  const faults = passwordFaults(password)
  if (faults.length > 0) fail(badParameters(faults))
  if (await passwordStrength.isWeak(password, personalTexts(user))) fail(badParameters([weakPassword]))
  return unlessBusy(secrets.hash(normalPassword(password)))
}

/** Whether a password has the hash; false for none, after the same work. */
export const verifyPassword = (
  { secrets }: Pick<Services, 'secrets'>,
  password: string,
  hash: string | null,
): Promise<boolean> => unlessBusy(secrets.verify(normalPassword(password), hash))
