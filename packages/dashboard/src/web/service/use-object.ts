import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import type { JsonObject } from '@publishing-service/domain/json'
import type { ListQuery } from './api.js'
import { resourceNamed, useInstance } from './place.js'

const useReading = (collection: string) => {
  const { api, iid } = useInstance()
  const segments = resourceNamed(collection)?.segments ?? collection
  return (uuid: string | null) => ({
    queryKey: [iid, collection, uuid],
    queryFn: () => api.read(`${segments}/${uuid}`),
    enabled: uuid !== null,
  })
}

/** An object of a collection; none for null. */
export const useObject = (collection: string, uuid: string | null) => useQuery(useReading(collection)(uuid))

/** Objects of a collection by UUID, those that are read, and why one could not be read. */
export const useObjects = (collection: string, uuids: readonly string[]) => {
  const found = useQueries({ queries: [...new Set(uuids)].map(useReading(collection)) })
  const objects: Readonly<Record<string, JsonObject>> = Object.fromEntries(
    found.flatMap(({ data }) => (data === undefined ? [] : [[String(data.value['uuid']), data.value]])),
  )
  return { objects, error: found.find(({ error }) => error !== null)?.error ?? null }
}

/** A page of rows below the instance. The former one is shown until the next is read. */
export const useRows = (path: string, query: ListQuery) => {
  const { api, iid } = useInstance()
  return useQuery({
    queryKey: [iid, path, 'list', query],
    queryFn: ({ signal }) => api.list(path, query, signal),
    placeholderData: keepPreviousData,
  })
}
