import { auditRows, instanceAuditRows, type Parameters } from '@publishing-service/domain'
import { listRows, type RowsContext } from '../administration/list-rows.js'
import { systemCollections } from '../collections.js'
import type { DeploymentOperation } from '../deployment-operation.js'
import type { Outcome } from '../failure.js'
import type { Listing } from '../objects/listing.js'
import type { Operation } from '../operation.js'

const newestFirst = [{ key: 'created', direction: 'desc' }] as const
const collection = systemCollections.audit.name

/** The audit log of the whole deployment. */
export const listAudit: DeploymentOperation<{ readonly parameters: Parameters }, Listing> = {
  name: 'listAudit',
  permission: { subject: 'audit', action: 'read' },
  run: (session, { parameters }) =>
    listRows(session, { collection, rows: auditRows, parameters, initialOrder: newestFirst }),
}

/** The audit log of an instance. */
export const listInstanceAudit: Operation<{ readonly parameters: Parameters }, Listing> = {
  name: 'listInstanceAudit',
  subject: 'audit',
  action: 'read',
  run: (session, { parameters }) => session.audit(parameters),
}

/** A page of the audit log of an instance. */
export const instanceAuditPage = (
  context: RowsContext,
  instance: number,
  parameters: Parameters,
): Outcome<Listing> =>
  listRows(context, {
    collection,
    rows: instanceAuditRows,
    parameters,
    where: [{ key: 'instance', equals: instance }],
    initialOrder: newestFirst,
  })
