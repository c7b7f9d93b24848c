import { E, type Listing } from '@publishing-service/domain'
import type { Outcome } from '../failure.js'
import type { Session } from '../session.js'

/** The page, marked if the words of some objects of these collections cannot be found yet. */
export const markIncomplete =
  (session: Session, collections: readonly string[], page: Outcome<Listing>): Outcome<Listing> =>
  async () => {
    // Read first: an index that is completed in between is reported as incomplete, never the other way round.
    const isComplete = await session.isSearchComplete(collections)()
    if (E.isLeft(isComplete)) return isComplete
    const listing = await page()
    return E.isLeft(listing) || isComplete.right ? listing : E.right({ ...listing.right, isIncomplete: true })
  }
