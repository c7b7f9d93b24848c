import { fault, type Fault } from '../fault.js'
import type { Settings } from './settings.js'

/** Why a title does not confirm the deletion of an instance; null if it does. */
export const confirmationFault = ({ title }: Pick<Settings, 'title'>, given: string): Fault | null =>
  given === title ? null : fault('title', 'confirmation', 'must be exactly the title of the instance')

/**
 * Milliseconds after which no process serves requests for a deleted instance: each caches instances and roles for 3
 * seconds, and the rest is for running requests.
 */
export const deletionDelay = 5000
