import { useQuery } from '@tanstack/react-query'
import { model } from 'virtual:model'
import { useService } from '../service/place.js'

export type AdministeredInstance = { readonly id: number; readonly title: string }

/** The instances on which the signed-in user can give roles: for an operator all, at most a page of them. */
export const useAdministeredInstances = (): readonly AdministeredInstance[] => {
  const { api, me } = useService()
  const { data } = useQuery({
    queryKey: ['instances', 'titles'],
    queryFn: ({ signal }) => api.list('instances', { fields: ['id', 'title'], rpp: model.maxRpp }, signal),
    enabled: me.operator,
  })
  return me.operator
    ? (data?.rows ?? []).map(({ id, title }) => ({ id: Number(id), title: String(title) }))
    : me.items.filter(({ roles }) => roles.includes('admin'))
}
