/** Checks of the stores before the service or a command uses them, and what to do if they fail. */
import {
  maxForeignCounted,
  type SampleData,
  type StoresDiffer,
  type UseCases,
} from '@publishing-service/application'
import { E } from '@publishing-service/domain/fp'
import type { Configuration, StoreKind } from './configuration.js'
import { counted } from './counted.js'
import { failureText, stepOrThrow } from './error-messages.js'

/** The variables that identify the store. */
const namesOf = (chooser: string, { location }: StoreKind<unknown>): string =>
  [chooser, ...location].join(', ')

const idText = (id: string | null): string => (id === null ? 'no id' : `the id ${id}`)

const mismatchText = async (
  { found: { documents, blobs } }: StoresDiffer,
  configuration: Configuration,
): Promise<string> => {
  const { documentStore, blobStore } = configuration
  const others = `${blobs.foreign >= maxForeignCounted ? 'at least ' : ''}${counted(blobs.foreign, 'blob')}`
  return [
    'The documents and the blobs don’t belong to each other, and a service on them would delete the blobs that its ' +
      'documents do not refer to.',
    `The documents in ${await documentStore.place(configuration)} (${namesOf('STORE', documentStore)}) have ${idText(documents.id)}` +
      `${documents.isEmpty ? ' and are empty' : ''}.`,
    `The blobs in ${await blobStore.place(configuration)} (${namesOf('BLOBS', blobStore)}) have ${idText(blobs.id)}; besides the ` +
      `sample publication’s there are ${others}.`,
    'Restore the documents that belong to these blobs, or name the blob store that belongs to these documents. If ' +
      'you want to use these two, start once with the option --adopt-blobs: the blob store gets the documents’ id, and ' +
      'blobs that they do not refer to are quarantined, then deleted',
  ].join('\n    ')
}

export type IdentityParts = {
  readonly useCases: Pick<UseCases, 'storeIdentity'>
  readonly configuration: Configuration
  readonly adoptBlobs: boolean
  readonly sampleData: () => Promise<readonly SampleData[]>
}

/** Rejects with an Error if documents and blobs do not belong to each other. */
export const establishIdentity = async (parts: IdentityParts): Promise<void> => {
  const { useCases, configuration, adoptBlobs, sampleData } = parts
  const result = await useCases.storeIdentity.establish({ adopt: adoptBlobs, sample: sampleData })()
  if (E.isRight(result)) return
  if (result.left._tag === 'StoresDiffer') throw new Error(await mismatchText(result.left, configuration))
  throw new Error(`comparing the ids of the stores failed: ${failureText(result.left)}`)
}

/**
 * Rejects with an Error while the stores are being filled from others. Half a copy resembles a complete publication that
 * has lost something, so nothing is done with it.
 */
export const rejectUnfinishedCopy = async ({
  sourceOfCopy,
}: Pick<UseCases, 'sourceOfCopy'>): Promise<void> => {
  const source = await stepOrThrow('looking for a copy that was begun', sourceOfCopy)
  if (source === null) return
  throw new Error(
    `These stores contain an incomplete copy of ${source}. Run the copy command again to complete it (or the import), ` +
      'or choose other stores',
  )
}
