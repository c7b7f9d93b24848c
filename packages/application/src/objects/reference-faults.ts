import {
  fault,
  isAliveIn,
  resourceOf,
  type Fault,
  type Reference,
  type View,
} from '@publishing-service/domain'

const article = { image: 'an image', audio: 'an audio file' } as const

const messageFor = ({ collection, media }: Reference): string =>
  media === undefined
    ? `names no ${resourceOf(collection)?.name ?? collection.replace(/s$/, '')} of this instance`
    : `names no file of this instance that has ${article[media]} as its data`

/** A fault for each reference that names nothing, something unseen, or a file of the wrong kind (decisions §2.7). */
export const referenceFaults = (references: readonly Reference[], find: View['find']): readonly Fault[] => {
  const isAlive = isAliveIn(find)
  return references.filter((each) => !isAlive(each)).map((each) => fault(each.path, messageFor(each)))
}
