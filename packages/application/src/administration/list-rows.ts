import {
  badParameters,
  E,
  nowIn,
  parseCollectionQuery,
  readPlan,
  type Filter,
  type JsonObject,
  type Links,
  type Order,
  type Parameters,
  type Queryable,
  type ViewContext,
  type Listing,
} from '@publishing-service/domain'
import type { Document } from '@publishing-service/ports'
import { attempt } from '../attempt.js'
import type { DeploymentServices } from '../deployment-operation.js'
import type { Outcome } from '../failure.js'
import { createPageRows } from '../objects/page-rows.js'
import { documentsMeeting } from '../objects/read-page.js'
import { refined, type Test } from '../objects/refined.js'

/** Rows of a collection of the service itself. */
export type RowsQuery = {
  readonly collection: string
  readonly rows: Queryable
  readonly parameters: Parameters
  readonly where?: readonly Filter[]
  /** The order if the request names none. */
  readonly initialOrder?: readonly Order[]
  /** Which documents the caller sees, if not all; `testKey` is a cache key for it. */
  readonly test?: Test
  readonly testKey?: string
  /** The state that a row shows. */
  readonly stateOf?: (document: Document) => JsonObject
}

export type RowsContext = Pick<DeploymentServices, 'clock' | 'pages' | 'systemDocuments' | 'systemWrites'> & {
  readonly links: Links
  readonly strict: boolean
}

/** The context of a view that belongs to no instance. */
export const deploymentView = (
  { clock, links }: Pick<RowsContext, 'clock' | 'links'>,
  id: string,
): ViewContext => ({
  role: 'admin',
  now: nowIn('UTC', clock.now()),
  settings: { timezone: 'UTC', directory_addon: true, website_url: null },
  id,
  links,
  find: () => undefined,
  count: () => 0,
})

/** A page of a collection of the service itself, as of a collection of an instance. Needs one query. */
export const listRows =
  (session: RowsContext, request: RowsQuery): Outcome<Listing> =>
  () =>
    attempt(async (get) => {
      const { pages, systemDocuments, systemWrites, strict } = session
      const { collection, rows, parameters, where = [], initialOrder = [], test = null, testKey } = request
      const view = deploymentView(session, '')
      const query = get(E.mapLeft(badParameters)(parseCollectionQuery(rows, parameters, view, strict)))
      const { fields, page, rpp } = query
      const plan = readPlan(rows, view, fields)
      const meeting = {
        where: [...where, ...query.where],
        order: query.order.length === 0 ? initialOrder : query.order,
      }
      const result = {
        find: refined(documentsMeeting(systemDocuments, collection, meeting), test),
        key: JSON.stringify([collection, systemWrites(collection), meeting, testKey]),
      }
      const { rows: items, add } = createPageRows(fields)
      const skip = (page - 1) * rpp
      const start = get(await pages.seek(result, skip))
      const window = { skip, limit: rpp, detail: 'light' } as const
      const read = await pages.read(result, start, window, async (found) => {
        for (const document of found) {
          const state = request.stateOf?.(document) ?? document.value
          const failure = add(plan.row(state, { ...view, id: document.id }))
          if (failure !== null) return failure
        }
        return null
      })
      return { items, page, hasNext: get(read), included: null }
    })
