import { useQuery, useQueryClient } from '@tanstack/react-query'
import { dataOf, type components } from '@publishing-service/client'
import type { Language } from '../../texts/languages.js'
import { useSetLanguage } from '../texts/texts.js'
import { session } from './session.js'

/** The account of the signed-in person. */
export type Account = components['schemas']['Account']

export const accountQuery = {
  queryKey: ['account'],
  queryFn: async (): Promise<Account> => dataOf(await session.client.GET('/account', { cache: 'no-cache' })),
}

/** The own account; undefined until it is loaded. */
export const useAccount = (enabled = true): Account | undefined => useQuery({ ...accountQuery, enabled }).data

/** Chooses the language, and remembers it for the other devices of the person. */
export const useLanguageOfAccount = () => {
  const setLanguage = useSetLanguage()
  const queries = useQueryClient()
  return (language: Language): void => {
    setLanguage(language)
    // If the service does not store it, this browser keeps it.
    void session.client
      .PATCH('/account', { body: { language } })
      .finally(() => queries.invalidateQueries({ queryKey: accountQuery.queryKey }))
      .catch(() => null)
  }
}
