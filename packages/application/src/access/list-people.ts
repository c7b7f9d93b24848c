import { operations } from '@publishing-service/domain/roles'
import type { Listing, Parameters } from '@publishing-service/domain/lists'
import type { ReadOperation } from '../operation.js'

/** Who may edit the instance (docs/behaviour/review.md#people). */
export const listPeople: ReadOperation<{ readonly parameters: Parameters }, Listing> = {
  ...operations.listPeople,
  run: (session, { parameters }) => session.peoplePage(parameters),
}
