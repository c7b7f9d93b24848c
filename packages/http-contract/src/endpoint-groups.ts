import { resourceOf } from '@publishing-service/domain'
import type { Endpoint } from './endpoint.js'

/** The group that an endpoint stands in: what it is permitted on. */
export const groupOf = ({ permission }: Endpoint): string => permission?.subject ?? 'service'

/** What a group is about. */
export const groupDescription = (group: string): string => {
  const resource = resourceOf(group)
  if (resource !== undefined) return resource.description
  const own: Readonly<Record<string, string>> = {
    service: 'What belongs to no instance: tokens, health, documents.',
    instance: 'An instance is one publication; all that it holds is below its number.',
    settings: 'Settings of an instance, such as its time zone.',
  }
  const description = own[group]
  if (description === undefined) throw new Error(`nothing is said of the group ${group}`)
  return description
}
