import { useQuery } from '@tanstack/react-query'
import { dataOf } from '@publishing-service/client'
import { session } from './session.js'

/** The ways in that the service offers; undefined until they are loaded. */
export const useSignInWays = () =>
  useQuery({
    queryKey: ['sign-in'],
    queryFn: async () => dataOf(await session.visitor.GET('/sign-in')),
    staleTime: Infinity,
  }).data
