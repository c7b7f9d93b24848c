/** The end of a copy in words: what was copied, or why it wasn't, and what to do. */
import type { CopyFailure, CopyResult, Differences } from '@publishing-service/application'
import { counted, exitCodes, wordsOf } from '@publishing-service/composition-root'
import type { Refusal } from './admin-task.js'
import type { Sides } from './copy-sides.js'
import { bytesInWords, durationInWords } from './answer-text.js'

const again = 'run the same command again: it goes on where it stopped'

const placesText = ({ places }: Sides['from']): string => `${places.documents} and ${places.blobs}`

const mostNamed = 5

const differencesText = ({ partitions, blobs }: Differences): string => {
  const named = partitions
    .slice(0, mostNamed)
    .map(({ instance, collection }) =>
      instance === 0 ? `the service’s ${collection}` : `${collection} of instance ${instance}`,
    )
  const more = partitions.length - named.length
  return [
    ...named,
    ...(more > 0 ? [`${more} more`] : []),
    ...(blobs > 0 ? [`the data of ${counted(blobs, 'blob')}`] : []),
  ].join(', ')
}

const linesOf = (failure: CopyFailure, { from, to }: Sides): readonly string[] => {
  switch (failure._tag) {
    case 'PortFailure':
      return [
        `the ${failure.part} can’t be used right now: ${wordsOf(failure.reason)}. Put that right, and ${again}`,
      ]
    case 'SourceEmpty':
      return [
        `${from.name}: there is no instance to copy in ${from.places.documents}. Is it the right place?`,
      ]
    case 'SourceUnfinished':
      return [
        `${from.name}: that is a copy of ${failure.source} which isn’t finished itself. Finish that one first`,
      ]
    case 'DataMissing':
      return [
        `${from.name}: file ${failure.file} of instance ${failure.instance} has data, and ${from.places.blobs} ` +
          'doesn’t hold them. Is it the place that belongs to these documents?',
      ]
    case 'TargetOccupied':
      return [
        `${to.name}: ${failure.part === 'blobs' ? to.places.blobs : to.places.documents} isn’t empty. A copy is ` +
          'made into empty stores only: name others, or empty these',
      ]
    case 'OtherCopy':
      return [
        `${to.name}: that holds an unfinished copy of ${failure.source}. Finish that one, name other stores, or empty these`,
      ]
    case 'DocumentNotTaken':
      return [
        `${to.name}: ${failure.collection} ${failure.id} of instance ${failure.instance} isn’t taken: ` +
          (failure.limit === null
            ? 'another document has what only one may have'
            : `it is larger than ${bytesInWords(failure.limit)}`),
      ]
    case 'CopyOvertaken':
      return [`${to.name}: another process writes there. Stop it, and ${again}`]
    case 'CopyDiffers':
      return [
        ...(failure.changed.partitions.length + failure.changed.blobs > 0
          ? [
              `the source has changed in the meantime: ${differencesText(failure.changed)}. Stop the services that ` +
                'work on it, and run the same command again: it copies only that',
            ]
          : []),
        ...(failure.broken.partitions.length + failure.broken.blobs > 0
          ? [
              `the target doesn’t give back what it was given: ${differencesText(failure.broken)}. Is it in use? Run ` +
                'the same command again: it copies only that',
            ]
          : []),
      ]
  }
}

/** Failures before the target was touched. */
const untouched: ReadonlySet<CopyFailure['_tag']> = new Set([
  'SourceEmpty',
  'SourceUnfinished',
  'DataMissing',
  'TargetOccupied',
  'OtherCopy',
])

export const copyRefusal = (failure: CopyFailure, sides: Sides): Refusal => ({
  code: failure._tag === 'PortFailure' ? exitCodes.unavailable : exitCodes.refused,
  headline: untouched.has(failure._tag) ? 'Nothing was copied.' : 'The copy isn’t finished.',
  lines: linesOf(failure, sides),
})

/** `seconds` is how long this run took. */
export const copyText = (
  { instances, keys, documents, blobs, bytes }: CopyResult,
  { from, to }: Sides,
  seconds: number,
): string =>
  [
    `Copied ${placesText(from)}`,
    `to ${placesText(to)}`,
    `in ${durationInWords(seconds)}: ${counted(instances, 'instance')}, ${counted(keys, 'key')}, ` +
      `${counted(documents, 'document')}, ${counted(blobs, 'blob')} of ${bytesInWords(bytes)}. Counted and compared: all is the same.`,
  ].join('\n')
