/** Which objects a write may refer to (docs/behaviour/writing.md#references). */
import { fault, firstPerPath, type Fault } from '../fault.js'
import type { Reference } from '../value/value-type.js'
import type { ItemsDraft } from './draft-items.js'
import type { DeclaredResource } from './resource.js'
import { resourceOf } from './resources.js'
import { findAmong, isAliveIn, type FoundObjects } from './read-plan.js'

const article = { image: 'an image', audio: 'an audio file' } as const

/** The message for a reference to an object that does not exist. */
export const missingTarget = ({ name }: Pick<DeclaredResource, 'name'>): string =>
  `names no ${name} of this instance`

const messageFor = ({ collection, media }: Reference): string =>
  media === undefined
    ? missingTarget(resourceOf(collection) ?? { name: collection.replace(/s$/, '') })
    : `names no file of this instance that has ${article[media]} as its data`

/** A fault for each reference to an object that was not found, or to a file of the wrong kind. */
const referenceFaults = (references: readonly Reference[], found: FoundObjects): readonly Fault[] => {
  const isAlive = isAliveIn(findAmong(found))
  return references
    .filter((each) => !isAlive(each))
    .map((each) => fault(each.path, 'reference', messageFor(each)))
}

/** Every fault of a draft: those of its values first, then those of its references. */
export const draftFaults = (
  { faults, references }: Pick<ItemsDraft, 'faults' | 'references'>,
  found: FoundObjects,
): readonly Fault[] => firstPerPath([...faults, ...referenceFaults(references, found)])
