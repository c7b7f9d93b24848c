import { useQuery } from '@tanstack/react-query'
import { textOf } from '../../json.js'
import { mayAct, useInstance } from './place.js'

/** An API user who may edit the instance. */
export type Person = { readonly uuid: string; readonly name: string }

/** Those who may edit the instance, by name; none until they are loaded, and for roles that may not read them. */
export const usePeople = (): readonly Person[] => {
  const { api, iid, role } = useInstance()
  const { data = [] } = useQuery({
    queryKey: [iid, 'people'],
    queryFn: ({ signal }) => api.listAll('people', { fields: ['uuid', 'name'], order: 'name' }, signal),
    enabled: mayAct(role, 'people', 'read'),
  })
  return data.map(({ uuid, name = null }) => ({ uuid: String(uuid), name: textOf(name) ?? '' }))
}
