/** Instances in the answers of commands. */
import type { Json } from '@publishing-service/domain'
import type { InstanceRow } from '@publishing-service/application'
import { nearTimeZones } from './near-time-zones.js'
import type { Advice } from './refusal-of.js'

export const shownInstance = ({ id, settings }: InstanceRow): Readonly<Record<string, Json>> => ({
  id,
  ...settings,
})

/** Names time zones that are like the one that was given. */
export const zoneAdvice =
  (wanted: string): Advice =>
  (option) => {
    const near = option === 'timezone' ? nearTimeZones(wanted) : []
    return near.length === 0 ? null : `Did you mean ${near.join(' or ')}?`
  }
