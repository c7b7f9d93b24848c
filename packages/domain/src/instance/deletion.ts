import { fault, type Fault } from '../fault.js'
import type { Settings } from './settings.js'

/** Why a title that was given does not confirm the deletion of an instance; null where it does. */
export const confirmationFault = ({ title }: Pick<Settings, 'title'>, given: string): Fault | null =>
  given === title ? null : fault('title', 'must be the title of the instance, letter for letter')

/**
 * Milliseconds after which no process answers requests for a deleted instance any more: each remembers instances and
 * roles for 3 seconds, and the rest is for requests under way.
 */
export const deletionNotice = 5000
