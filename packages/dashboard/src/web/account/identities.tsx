import { useQuery } from '@tanstack/react-query'
import { dataOf } from '@publishing-service/client'
import type { Account } from '../service/account.js'
import { session } from '../service/session.js'
import { useTexts } from '../texts/texts.js'
import { WaysInCard } from './ways-in-card.js'

/** The identities of the person at providers. */
export const Identities = ({ account }: { readonly account: Account }) => {
  const { account: texts } = useTexts()
  const query = useQuery({
    queryKey: ['account', 'identities'],
    queryFn: async () => dataOf(await session.client.GET('/account/identities', { cache: 'no-cache' })),
  })
  const remove = async (identity: string) =>
    dataOf(await session.client.DELETE('/account/identities/{identity}', { params: { path: { identity } } }))
  return (
    <WaysInCard
      title={texts.identities}
      help={texts.identitiesHelp}
      account={account}
      query={query}
      nameOf={({ provider }) => provider.replace(/^https?:\/\//, '')}
      remove={remove}
    />
  )
}
