import { createContext, use } from 'react'
import { useQuery } from '@tanstack/react-query'
import { dataOf, type components } from '@publishing-service/client'
import type { Action, JsonObject, Role } from '@publishing-service/domain'
import { model } from 'virtual:model'
import type { Api } from './api.js'
import { useService } from './service-context.js'

/** The instance that the pages work on, as the user sees it. */
export type InstanceContext = {
  readonly iid: number
  readonly title: string
  readonly role: Role
  /** Paths of the instance. */
  readonly api: Api
}

export const CurrentInstance = createContext<InstanceContext | null>(null)

export const useInstance = (): InstanceContext => {
  const instance = use(CurrentInstance)
  if (instance === null) throw new Error('no instance is chosen')
  return instance
}

export const mayAct = (role: Role, subject: string, action: Action): boolean => {
  const needed = model.permissions[subject]?.[action]
  return needed !== undefined && model.roles.indexOf(role) >= model.roles.indexOf(needed)
}

/** Pages that need another role than a collection of their name. */
const administered: ReadonlySet<string> = new Set(['users', 'audit'])

/** Whether a role may open a page of an instance, named as in its path. */
export const mayOpen = (role: Role, page: string): boolean =>
  administered.has(page) ? role === 'admin' : mayAct(role, page, 'read')

const isPublished = ({ state, download_url: data }: JsonObject): boolean =>
  state === 'published' || typeof data === 'string'

/**
 * Whether the user may do it on this instance: with this object, if there is one, of which a contributor writes only
 * drafts that the same user created (docs/roles.md). The service checks it again.
 */
export const usePermission = (subject: string, action: Action, object: JsonObject | null = null): boolean => {
  const { role } = useInstance()
  const { me } = useService()
  if (!mayAct(role, subject, action)) return false
  if (object === null || model.roles.indexOf(role) >= model.roles.indexOf(model.unrestricted)) return true
  return object['created_by'] === me.uuid && !isPublished(object)
}

/** The settings of the instance; undefined until they are loaded, and on the pages of the service. */
export const useSettings = (): components['schemas']['Settings'] | undefined => {
  const instance = use(CurrentInstance)
  const { data } = useQuery({
    queryKey: [instance?.iid, 'settings'],
    queryFn: async () =>
      instance === null
        ? undefined
        : dataOf(
            await instance.api.client.GET('/{iid}/settings', {
              params: { path: { iid: instance.iid } },
              cache: 'no-cache',
            }),
          ),
    enabled: instance !== null,
  })
  return data
}

export const resourceNamed = (collection: string) =>
  model.resources.find((resource) => resource.collection === collection)

/** Whether the objects of a collection can be searched by words. */
export const canSearch = (collection: string): boolean =>
  resourceNamed(collection)?.filters.some(({ name }) => name === 'q') === true
