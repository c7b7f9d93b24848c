/** Half a copy looks like a whole publication that has lost something, so nothing is done with it. */
import type { UseCases } from '@publishing-service/application'
import { stepOrThrow } from './step-or-throw.js'

/** Rejects with an Error for the operator while these stores are being filled from others. */
export const refuseUnfinishedCopy = async ({
  sourceOfCopy,
}: Pick<UseCases, 'sourceOfCopy'>): Promise<void> => {
  const source = await stepOrThrow('looking for a copy that was begun', sourceOfCopy)
  if (source === null) return
  throw new Error(
    `These stores hold a copy of ${source} that isn’t finished. Run the command that began it again: it goes on ` +
      'where it stopped. Or name other stores',
  )
}
