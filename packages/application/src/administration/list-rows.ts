import { nowIn, type ViewContext } from '@publishing-service/domain'
import { parseCollectionQuery, type Listing } from '@publishing-service/domain/lists'
import { readPlan, type Links } from '@publishing-service/domain/engine'
import { accepted } from '../attempt.js'
import { collectionNamed } from '../collections.js'
import type { DeploymentServices } from '../deployment-operation.js'
import { createPageRows } from '../engine/row-reader.js'
import { documentsMeeting, readPage } from '../engine/read-page.js'
import type { RowsQuery } from './rows-query.js'
import { refinedRows, withoutPositions } from './shown-places.js'

export type RowsContext = Pick<DeploymentServices, 'clock' | 'systemDocuments'> & {
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
  canScale: () => false,
  find: () => undefined,
  count: () => 0,
})

/** A page of a collection of the service itself, as of a collection of an instance. Needs one query. */
export const listRows = async (session: RowsContext, request: RowsQuery): Promise<Listing> => {
  const { systemDocuments, strict } = session
  const { collection, rows, parameters, where = [], initialOrder = [], test = null } = request
  const view = deploymentView(session, '')
  const query = accepted(parseCollectionQuery(rows, parameters, view, strict))
  const { fields } = query
  const plan = readPlan(rows, view, fields)
  const meeting = {
    where: [...where, ...query.where],
    order: query.order.length === 0 ? initialOrder : query.order,
  }
  const declared = collectionNamed(collection)
  let find = documentsMeeting(systemDocuments, collection, meeting)
  if (test !== null) find = refinedRows(find, test, declared, meeting)
  if (declared.inCommitOrder === true) find = withoutPositions(systemDocuments, declared, find)
  const { rows: items, add } = createPageRows(fields)
  const links = await readPage(find, query, 'light', (documents) => {
    for (const document of documents)
      add(plan.row(request.stateOf?.(document) ?? document.value, { ...view, id: document.id }))
  })
  return { items, ...links, included: null, counted: null }
}
