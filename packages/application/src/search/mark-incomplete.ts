import type { Listing } from '@publishing-service/domain/lists'
import type { Session } from '../session.js'

/** The page, marked if the words of some objects of these collections cannot be found yet. */
export const markIncomplete = async (
  session: Session,
  collections: readonly string[],
  page: () => Promise<Listing>,
): Promise<Listing> => {
  // Read first: an index that is completed in between is reported as incomplete, never the other way round.
  const isComplete = await session.isSearchComplete(collections)
  const listing = await page()
  return isComplete ? listing : { ...listing, isIncomplete: true }
}
