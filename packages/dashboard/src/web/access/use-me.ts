import { useQuery } from '@tanstack/react-query'
import type { Role } from '@publishing-service/domain'
import { useInstance } from '../service/instance-context.js'

export type InstanceRoles = {
  readonly instance: number
  readonly roles: readonly Role[]
  readonly title?: string
}

/** The signed-in user. */
export type Me = {
  readonly uuid: string
  readonly name: string
  readonly operator: boolean
  readonly roles: readonly InstanceRoles[]
}

/** Undefined until it is loaded. */
export const useMe = (): Me | undefined => {
  const { service } = useInstance()
  const { data } = useQuery({ queryKey: ['me'], queryFn: () => service.read('me') })
  return data?.value as Me | undefined
}
