import { forbidden } from '@publishing-service/domain'
import { type DeploymentPermission, hasStanding, standingNeeded } from '@publishing-service/access'
import type { Principal } from './access/principals.js'
import { fail, failWithAny, unwrap } from './attempt.js'
import type { Audit, AuditSource } from './audit/audit.js'
import {
  auditChangesOf,
  type AnyDeploymentOperation,
  type DeploymentServices,
} from './deployment-operation.js'
import { statedPrecondition } from './engine/precondition.js'
import { unauthorized } from './failure.js'
import type { Identity, Opened, OperationRequest } from './operation-request.js'
import { unrecorded, type Recorded } from './recording.js'

/** The caller of an operation on the deployment. A preview is none. */
const authorise = (permission: DeploymentPermission, identity: Identity): Principal => {
  if (identity === null) fail(unauthorized)
  const caller = unwrap(identity)
  if (caller.preview !== undefined || !hasStanding(caller.rights, standingNeeded(permission))) fail(forbidden)
  return caller
}

/** Authorises a request for an operation on the deployment. */
export const openOnDeployment = <Input, Output>(
  services: DeploymentServices,
  audit: Audit,
  { name, permission, run, changed }: AnyDeploymentOperation<Input, Output>,
  request: OperationRequest,
  source: AuditSource | null,
): Opened<Input, Output> => {
  const caller = authorise(permission, request.identity)
  const { links, strict: isStrict } = request
  return {
    session: null,
    run: (input) => {
      const stated = statedPrecondition(request.precondition)
      const inSession = (recorded: Recorded<Output>): Promise<Output> => {
        const { precondition } = stated
        const session = { ...services, caller, rights: caller.rights, links, strict: isStrict }
        return run({ ...session, precondition, recorded }, input, failWithAny)
      }
      if (changed === undefined) return inSession(unrecorded.write)
      return audit.recorded(
        source,
        (output: Output) => auditChangesOf(name, permission.subject, changed(input, output)),
        (recorded) =>
          inSession((output, write) => {
            stated.requireChecked()
            return recorded(output, write)
          }),
      )
    },
  }
}
