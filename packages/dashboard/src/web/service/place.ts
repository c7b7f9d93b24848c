import { useQuery } from '@tanstack/react-query'
import { createContext, use } from 'react'
import { dataOf, type components } from '@publishing-service/client'
import type { Role } from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Action } from '@publishing-service/domain/roles'
import { model } from 'virtual:model'
import type { Api } from './api.js'

/** The signed-in user: the response of `GET /me`. */
export type Me = components['schemas']['Me']

/** An instance on which the user has a role. */
export type Instance = {
  readonly iid: number
  readonly title: string
  /** That of all its times: no page of it is shown before it is known. */
  readonly timezone: string
  /** The strongest. */
  readonly role: Role
  /** Paths of the instance. */
  readonly api: Api
  /** The same for requests that nobody has caused, such as those of a timer: nobody is asked to sign in for them. */
  readonly background: Api
}

/** Where the pages are: on an instance, or on the service as a whole. */
export type Place = {
  readonly me: Me
  /** Paths of the service: users, keys, instances. */
  readonly api: Api
  readonly instance: Instance | null
  /** Path of the pages of users and the audit log: `/service`, or `/1` within an instance. */
  readonly base: string
}

export const CurrentPlace = createContext<Place | null>(null)

export const useService = (): Place => {
  const place = use(CurrentPlace)
  if (place === null) throw new Error('nobody is signed in')
  return place
}

/** The instance that the pages work on. */
export const useInstance = (): Instance => {
  const { instance } = useService()
  if (instance === null) throw new Error('no instance is chosen')
  return instance
}

export const strongestRole = (held: readonly Role[]): Role | undefined =>
  model.roles.findLast((role) => held.includes(role))

/** A role includes the weaker ones. */
export const isAtLeast = (role: Role, needed: Role): boolean =>
  model.roles.indexOf(role) >= model.roles.indexOf(needed)

export const mayAct = (role: Role, subject: string, action: Action): boolean => {
  const needed = model.permissions[subject]?.[action]
  return needed !== undefined && isAtLeast(role, needed)
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
  if (object === null || isAtLeast(role, model.unrestricted)) return true
  return object['created_by'] === me.uuid && !isPublished(object)
}

/** The settings of the instance; undefined until they are loaded, and on the pages of the service. */
export const useSettings = (): components['schemas']['Settings'] | undefined => {
  const { instance } = useService()
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

/** Whether deleted objects of a collection are in the trash: those that have versions. */
export const hasTrash = (collection: string): boolean => model.permissions[collection]?.history !== undefined

/** Whether the objects of a collection can be searched by words. */
export const canSearch = (collection: string): boolean =>
  resourceNamed(collection)?.filters.some(({ name }) => name === 'q') === true
