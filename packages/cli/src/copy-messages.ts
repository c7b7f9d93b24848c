/** The end of a copy in words: what was copied, or why it wasn't, and what to do. */
import type { CopyFailure, CopyResult, Differences } from '@publishing-service/application'
import { counted, exitCodes, errorText } from '@publishing-service/composition-root'
import { CommandFailure } from './command-failure.js'
import type { NamedSide } from './copy-sides.js'
import { bytesInWords, durationInWords, programName } from './result-text.js'

const again = 'run the same command again: it continues where it stopped'

/** Both sides of a copy. */
export type NamedSides = { readonly from: NamedSide; readonly to: NamedSide }

const placesText = ({ places }: NamedSide): string => `${places.documents} and ${places.blobs}`

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

const differsLines = (what: string, found: Differences, remedy: string): readonly string[] =>
  found.partitions.length + found.blobs > 0 ? [`${what}: ${differencesText(found)}. ${remedy}`] : []

/** The messages of a failure, each with what to do. */
const linesOf = (failure: CopyFailure, { from, to }: NamedSides): readonly string[] => {
  const { documents, blobs } = to.places
  switch (failure._tag) {
    case 'PortFailure':
      return [`the ${failure.part} is unavailable: ${errorText(failure.reason)}. Fix that, and ${again}`]
    case 'SourceEmpty':
      return [
        `${from.name}: there is no instance in ${from.places.documents}. Check whether it is the right store`,
      ]
    case 'SourceUnfinished':
      return [
        `${from.name}: the source is itself an incomplete copy of ${failure.source}. Complete that copy first`,
      ]
    case 'DataMissing':
      return [
        `${from.name}: file ${failure.file} of instance ${failure.instance} has data that is missing in ` +
          `${from.places.blobs}. Check whether it is the blob store of these documents`,
      ]
    case 'TargetNotEmpty':
      return [
        `${to.name}: ${failure.part === 'blobs' ? blobs : documents} is not empty. Choose other stores, or empty these`,
      ]
    case 'OtherCopy':
      return [
        `${to.name}: the target contains an incomplete copy of ${failure.source}. Complete that copy, choose other stores, or empty these`,
      ]
    case 'DocumentRejected':
      return [
        `${to.name}: ${failure.collection} ${failure.id} of instance ${failure.instance} cannot be stored: ` +
          (failure.limit === null
            ? 'another document has the same unique value'
            : `it is larger than ${bytesInWords(failure.limit)}`),
      ]
    case 'DocumentDiffers':
      return [
        `${to.name}: there is another ${failure.collection} ${failure.id} of instance ${failure.instance}. ` +
          'Make sure that no other process uses the target, empty it, and start again',
      ]
    case 'OtherBackups':
      return [`${to.name}: it contains backups of other stores, ${failure.source}. Choose another place`]
    case 'BackupMissing':
      return [
        failure.id === null
          ? `${from.name}: there is no backup`
          : `${from.name}: there is no backup ${failure.id}. List them: ${programName} backup list`,
      ]
    case 'ExportDamaged':
      return [`${from.name}: the export is damaged: ${failure.problem}. Use another one`]
    case 'ConcurrentWriter':
      return [`${to.name}: another process writes to the target. Stop it, and ${again}`]
    case 'CopyDiffers':
      return [
        ...differsLines(
          'the source has changed during the copy',
          failure.changed,
          'Stop the services that use it, and run the same command again',
        ),
        ...differsLines(
          'the target differs from what was written',
          failure.damaged,
          'Make sure that no other process uses it, and run the same command again: it copies only the differences',
        ),
      ]
  }
}

/** Failures before the target was touched. */
const untouched: ReadonlySet<CopyFailure['_tag']> = new Set([
  'SourceEmpty',
  'SourceUnfinished',
  'DataMissing',
  'TargetNotEmpty',
  'OtherCopy',
  'OtherBackups',
  'BackupMissing',
  'ExportDamaged',
])

export const copyCommandFailure = (failure: CopyFailure, sides: NamedSides): CommandFailure =>
  new CommandFailure(
    failure._tag === 'PortFailure' ? exitCodes.unavailable : exitCodes.refused,
    linesOf(failure, sides),
    untouched.has(failure._tag) ? 'Nothing was copied.' : 'The copy is incomplete.',
  )

/** `seconds` is how long this run took. */
export const copyText = (
  { instances, keys, documents, blobs, bytes }: CopyResult,
  { from, to }: NamedSides,
  seconds: number,
): string =>
  [
    `Copied ${placesText(from)}`,
    `to ${placesText(to)}`,
    `in ${durationInWords(seconds)}: ${counted(instances, 'instance')}, ${counted(keys, 'key')}, ` +
      `${counted(documents, 'document')}, ${counted(blobs, 'blob')} of ${bytesInWords(bytes)}. Both sides are equal, by count and by content.`,
  ].join('\n')
