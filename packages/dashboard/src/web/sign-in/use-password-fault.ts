import { model } from 'virtual:model'
import { isServiceError } from '../service/session.js'
import { useTexts } from '../texts/texts.js'

/** What is wrong with a new password; undefined if nothing is. */
export const usePasswordFault = () => {
  const { account } = useTexts()
  return (error: unknown, password: string): string | undefined => {
    if (!isServiceError(error) || error.faults['password'] === undefined) return undefined
    return [...password].length < model.minPasswordCharacters
      ? account.shortPassword({ characters: model.minPasswordCharacters })
      : account.weakPassword
  }
}
