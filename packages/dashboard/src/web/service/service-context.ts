import { createContext, use } from 'react'
import type { components } from '@publishing-service/client'
import type { Api } from './api.js'

/** The signed-in user: the response of `GET /me`. */
export type Me = components['schemas']['Me']

/** The service as a whole: users, keys, instances. */
export type ServiceContext = {
  readonly api: Api
  readonly me: Me
  /** Path of the pages of users and the audit log: `/service`, or `/1` within an instance. */
  readonly base: string
}

export const CurrentService = createContext<ServiceContext | null>(null)

export const useService = (): ServiceContext => {
  const service = use(CurrentService)
  if (service === null) throw new Error('nobody is signed in')
  return service
}
