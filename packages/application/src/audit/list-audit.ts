import type { Parameters, Listing } from '@publishing-service/domain/lists'
import { auditRows, deploymentOperations, instanceAuditRows } from '@publishing-service/access'
import { operations } from '@publishing-service/domain/roles'
import { listRows } from '../administration/list-rows.js'
import { systemCollections } from '../collections.js'
import type { DeploymentOperation } from '../deployment-operation.js'
import type { ReadOperation } from '../operation.js'

const newestFirst = [{ key: 'created', direction: 'desc' }] as const
const collection = systemCollections.audit.name

/** The audit log of the whole deployment. */
export const listAudit: DeploymentOperation<{ readonly parameters: Parameters }, Listing> = {
  ...deploymentOperations.listAudit,
  run: (session, { parameters }) =>
    listRows(session, { collection, rows: auditRows, parameters, initialOrder: newestFirst }),
}

/** The audit log of an instance. */
export const listInstanceAudit: ReadOperation<{ readonly parameters: Parameters }, Listing> = {
  ...operations.listInstanceAudit,
  run: (session, { parameters }) =>
    session.recordsPage({ rows: instanceAuditRows, parameters, initialOrder: newestFirst }),
}
