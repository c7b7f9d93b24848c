import { useQuery } from '@tanstack/react-query'
import { resourceNamed, useInstance } from './instance-context.js'

/** An object of a collection; none for null. */
export const useObject = (collection: string, uuid: string | null) => {
  const { api, iid } = useInstance()
  return useQuery({
    queryKey: [iid, collection, uuid],
    queryFn: () => api.read(`${resourceNamed(collection)?.segments ?? collection}/${uuid}`),
    enabled: uuid !== null,
  })
}
