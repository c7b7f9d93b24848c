import { forbidden, notFound, type Problem } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import {
  type DeploymentPermission,
  editingRoleOn,
  hasStanding,
  personRows,
  standingNeeded,
} from '@publishing-service/access'
import { isOpened, type Opening, type OperationAccess, readActions } from '@publishing-service/domain/roles'
import type { Links } from '@publishing-service/domain/engine'
import { noKey, type Principal } from './access/principals.js'
import { userIn } from './access/stored-user.js'
import { attempt, fail, failWithAny, unwrap } from './attempt.js'
import type { Audit, AuditSource } from './audit/audit.js'
import { ChangeRecords } from './audit/change-records.js'
import { listRows } from './administration/list-rows.js'
import { isHiddenChange } from './changes/hidden-change.js'
import { showPreview } from './drafts/show-preview.js'
import { unrecorded, type AuditChange, type Recorded } from './recording.js'
import { systemCollections } from './collections.js'
import {
  auditChangesOf,
  type AnyDeploymentOperation,
  type DeploymentServices,
} from './deployment-operation.js'
import type { Failure } from './failure.js'
import type { InstanceStores, Written } from './instance-store.js'
import { settingsCounter } from './write-counters.js'
import type { KeyedMutex } from './keyed-mutex.js'
import { statedPrecondition, type Precondition } from './engine/precondition.js'
import type { Operation, WriteOperation } from './operation.js'
import type { Instance } from './caller.js'
import { Session, type Authorised, type Services, type SessionSource } from './session.js'

/** The principal of the token, or why the token is not valid; null if the request has no token. */
export type Identity = E.Either<Failure, Principal> | null

/** A request for an operation, without its input. */
export type OperationRequest = {
  readonly identity: Identity
  /** Remote address of the client; null for the command line. */
  readonly address: string | null
  /** The request id. The changes of a request without one, such as writing the sample, are not in the audit log. */
  readonly requestId: string | null
  /** The request id that the client chose; null if it has sent none. */
  readonly clientRequestId?: string | null
  readonly links: Links
  /** Whether unknown names and tolerated values are faults: `Prefer: handling=strict`. */
  readonly strict: boolean
  /** If-Match and If-None-Match of a write. */
  readonly precondition?: Precondition | undefined
  /** The number that the address names; null if it names none. An operation on the deployment ignores it. */
  readonly instance: number | null
}

/** A request at the address of an instance. */
export type InstanceRequest = OperationRequest & { readonly instance: number }

/** What an operation on an instance needs: the permission, or a setting that permits it without a token. */
type InstanceAccess = Pick<OperationAccess, 'subject' | 'action' | 'roles' | 'openedBy'>

/** An operation that a request may run. */
export type Opened<Input, Output> = {
  /**
   * Runs it once in its session. A write is recorded in the audit log. NotFound if the instance was deleted in the meantime,
   * and the write with it.
   */
  readonly run: (input: Input) => Promise<Output>
  /** Its session on the instance; null for an operation on the deployment, whose results no cache has. */
  readonly session: Session | null
}

/** Opens sessions for operations. All functions throw a Failure. */
export type Sessions = {
  /** Authorises the request, and opens a session for the operation: on the instance, or on the deployment. */
  readonly open: <Input, Output>(
    operation: Operation<Input, Output> | AnyDeploymentOperation<Input, Output>,
    request: OperationRequest,
  ) => Promise<Opened<Input, Output>>
  /**
   * Why a request is Unauthorized at an address whose methods all need a token or one of these settings; null if it is
   * not. Precedes 405, 406 and 410 (docs/behaviour/errors.md#missing-token-first).
   */
  readonly missingToken: (
    identity: Identity,
    instance: number,
    openings: readonly Opening[],
  ) => Promise<Failure | null>
}

/** The name of who writes without a token in the audit log. */
const visitor = 'visitor'

const unauthorized: Problem = { _tag: 'Unauthorized' }

export const createSessions = (
  services: Services,
  deploymentServices: DeploymentServices,
  audit: Audit,
  stores: InstanceStores,
  exclusively: KeyedMutex,
): Sessions => {
  const { clock, instances } = services
  const settings = settingsCounter(stores.writeCounters)

  /**
   * A token without the role results in Forbidden whether or not the instance exists. Without a token, an operation
   * that a setting permits is Unauthorized if the instance does not exist or has the setting off
   * (docs/behaviour/access.md#unknown-instances).
   */
  const authorise = async (
    { action, roles, openedBy }: InstanceAccess,
    identity: Identity,
    number: number,
  ): Promise<Authorised> => {
    if (identity === null) {
      const instance = await openedInstance(number, openedBy)
      return { role: 'public_user', user: null, key: null, instance }
    }
    const { id, key, roles: held, preview } = unwrap(identity)
    const role = held.get(number) ?? null
    if (role === null || !roles.has(role)) fail(forbidden)
    // The token of a preview reads.
    if (preview !== undefined && !readActions.has(action)) fail(forbidden)
    return { role, user: id, key, instance: unwrap(await instances.find(number)()) }
  }

  /** The instance, if it has one of the settings on; else Unauthorized. */
  const openedInstance = async (number: number, openings: readonly Opening[]): Promise<Instance> => {
    if (openings.length === 0) fail(unauthorized)
    const found = await instances.find(number)()
    if (E.isLeft(found)) fail(found.left._tag === 'NotFound' ? unauthorized : found.left)
    if (!isOpened(openings, found.right.settings)) fail(unauthorized)
    return found.right
  }

  const source: SessionSource = {
    services,
    exclusively,
    recordsOf: (documents) =>
      new ChangeRecords(deploymentServices.systemDocuments, documents, documents.instance),
    peoplePage: ({ instance: { number }, links, strict: isStrict }, parameters) =>
      listRows(
        { ...deploymentServices, links, strict: isStrict },
        {
          collection: systemCollections.users.name,
          rows: personRows,
          parameters,
          initialOrder: [{ key: 'name', direction: 'asc' }],
          test: (value) => editingRoleOn(userIn({ id: '', value }), number) !== null,
          stateOf: (document) => {
            const user = userIn(document)
            return { name: user.name, role: editingRoleOn(user, number) }
          },
        },
      ),
    recordsPage: ({ instance, links, strict: isStrict }, { where = [], ...query }) =>
      listRows(
        { ...deploymentServices, links, strict: isStrict },
        {
          ...query,
          collection: systemCollections.audit.name,
          where: [{ key: 'instance', equals: instance.number }, ...where],
        },
      ),
  }

  /** Null if changes are not recorded. */
  const sourceOf = ({
    identity,
    address,
    requestId: request,
    clientRequestId: clientRequest = null,
  }: OperationRequest): AuditSource | null => {
    if (request === null || (identity !== null && E.isLeft(identity))) return null
    // The address of a visitor is not retained.
    if (identity === null)
      return { user: null, name: visitor, apiKey: null, address: null, request, clientRequest }
    const { id, user, key } = identity.right
    return {
      user: id,
      name: user,
      apiKey: id === null || key === noKey ? null : key,
      address,
      request,
      clientRequest,
    }
  }

  /** What the record of a change of an object says about it. */
  const describe = async (session: Session, written: Written) => {
    const { documents, instance } = session
    const { collection, value: after } = written
    const before = documents.stateBefore(written)
    const isHidden =
      before !== null &&
      after !== null &&
      (await isHiddenChange(stores.of(instance.number, 'lenient'), { collection, before, after }, session))
    return documents.describe(written, session, isHidden)
  }

  /** What the records of a run on an instance say. */
  const changesOnInstance =
    <Input>(
      session: Session,
      { name, subject, changed }: Pick<WriteOperation<Input, unknown>, 'name' | 'subject' | 'changed'>,
      input: Input,
    ) =>
    async (all: readonly (Written | null)[]): Promise<readonly AuditChange[]> => {
      const { documents, instance } = session
      const described: AuditChange[] = []
      for (const written of all) {
        const change = changed(input, written?.id ?? null)
        if (change === null) continue
        const { object, changes } = change
        const about = (written === null ? null : await describe(session, written)) ?? {
          collection: subject,
          object,
          title: object === null ? null : documents.nameOf(subject, object),
        }
        described.push({
          ...about,
          ...(changes === undefined || written?.isUndo === true ? {} : { changes }),
          instance: instance.number,
          operation: name,
        })
      }
      return described
    }

  /** The caller of an operation on the deployment. A preview is none. */
  const authoriseOnDeployment = (permission: DeploymentPermission, identity: Identity): Principal => {
    if (identity === null) fail(unauthorized)
    const caller = unwrap(identity)
    if (caller.preview !== undefined || !hasStanding(caller.rights, standingNeeded(permission)))
      fail(forbidden)
    return caller
  }

  const runOnDeployment = async <Input, Output>(
    caller: Principal,
    request: OperationRequest,
    { name, permission, run, changed }: AnyDeploymentOperation<Input, Output>,
    input: Input,
  ): Promise<Output> => {
    const { links, strict: isStrict } = request
    const stated = statedPrecondition(request.precondition)
    const inSession = (recorded: Recorded<Output>): Promise<Output> => {
      const { precondition } = stated
      const session = { ...deploymentServices, caller, rights: caller.rights, links, strict: isStrict }
      return run({ ...session, precondition, recorded }, input, failWithAny)
    }
    if (changed === undefined) return inSession(unrecorded.write)
    return audit.recorded(
      sourceOf(request),
      (output: Output) => auditChangesOf(name, permission.subject, changed(input, output)),
      (recorded) =>
        inSession((output, write) => {
          stated.requireChecked()
          return recorded(output, write)
        }),
    )
  }

  return {
    open: async (operation, request) => {
      if ('permission' in operation) {
        const caller = authoriseOnDeployment(operation.permission, request.identity)
        return { session: null, run: (input) => runOnDeployment(caller, request, operation, input) }
      }
      const { identity, instance: named } = request
      if (named === null) fail(notFound)
      // Before the settings are read.
      const settingsWrites = settings.value
      const authorised = await authorise(operation, identity, named)
      const { number } = authorised.instance
      const documents = stores.of(number, readActions.has(operation.action) ? 'lenient' : 'strict')
      documents.dependencies.set(settings, settingsWrites)
      if (identity === null) documents.objectsRead = new Map()
      const time = { epoch: clock.now(), isRead: false }
      const session = new Session(source, authorised, request, documents, time)
      const { preview = null } = identity === null ? {} : unwrap(identity)
      if (preview !== null) await showPreview(session, preview)
      return {
        session,
        run: async (input) => {
          if (!('changed' in operation)) return operation.run(session, input, failWithAny)
          const recording = audit.recording(sourceOf(request), changesOnInstance(session, operation, input))
          documents.recording = recording
          const output = await operation.run(session, input, failWithAny)
          const remaining = await instances.find(number)()
          if (E.isLeft(remaining) && remaining.left._tag === 'NotFound') fail(remaining.left)
          await recording.end([null])
          return output
        },
      }
    },

    missingToken: async (identity, number, openings) => {
      if (identity !== null) return E.isLeft(identity) ? identity.left : null
      const opened = await attempt(() => openedInstance(number, openings))
      return E.isLeft(opened) ? opened.left : null
    },
  }
}
