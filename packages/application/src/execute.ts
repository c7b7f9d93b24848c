import {
  E,
  forbidden,
  hasStanding,
  mayActAs,
  pipe,
  roleNeeded,
  standingNeeded,
  TE,
  type Links,
  type Problem,
  type Role,
} from '@publishing-service/domain'
import type { DocumentStore } from '@publishing-service/ports'
import { rightsOf, roleOn, type Principal } from './access/principals.js'
import type { Audit, AuditChange } from './audit/audit.js'
import { observeObjects } from './audit/observe-object.js'
import { instanceAuditPage } from './audit/list-audit.js'
import { clientOf, momentIn, type Caller, type Instance } from './caller.js'
import type { DeploymentOperation, DeploymentServices, DeploymentSession } from './deployment-operation.js'
import type { Failure, Outcome } from './failure.js'
import { settingsCounter, type WriteCounter, type WriteCounters } from './write-counters.js'
import { documentsIn, type InstanceDocuments } from './instance-documents.js'
import type { KeyedMutex } from './keyed-mutex.js'
import { createUpdateDocument } from './objects/update-document.js'
import type { Precondition } from './objects/precondition.js'
import type { Operation, Services, Session } from './operation.js'

/** The principal of the token, or why the token is not valid; null if the request has no token. */
export type Identity = E.Either<Failure, Principal> | null

/** A request for an operation on the deployment, without its input. */
export type DeploymentRequest = {
  readonly identity: Identity
  /** Identifies the token again, if the input took long. */
  readonly identifyAgain?: () => Promise<Identity>
  /** Remote address of the client; null for the command line. */
  readonly address: string | null
  /** The request id. The changes of a request without one, such as writing the sample, are not in the audit log. */
  readonly requestId: string | null
  /** The request id that the client chose; null if it has sent none. */
  readonly clientRequestId?: string | null
  readonly links: Links
  /** Whether unknown names and tolerated values are faults: `Prefer: handling=strict`. */
  readonly strict: boolean
}

/** A request for an operation on an instance, without its input. */
export type OperationRequest = DeploymentRequest & {
  readonly instance: number
  readonly precondition?: Precondition | undefined
}

/** The write counters of the collections that a result was computed from, with their values before the read. */
export type Dependencies = ReadonlyMap<WriteCounter, number>

export type Execution<Output> = {
  readonly output: Output
  readonly dependencies: Dependencies
  /** Whether the run read the clock, so that its result changes with time. */
  readonly isTimed: boolean
}

const unauthorized: Problem = { _tag: 'Unauthorized' }

/** Milliseconds that an input may take before key, roles and instance are checked again. */
const slowInput = 1000

type Opening = NonNullable<Operation<never, unknown>['openedBy']>

/** The documents of all instances: `strict` and `lenient` as `guardUnreadable` returns them. */
type Stores = { readonly strict: DocumentStore; readonly lenient: DocumentStore }

/**
 * Runs operations. For each it authorises the caller by the permission matrix, loads the instance, decodes the input,
 * opens a session on the instance, and records what the run reads (docs/architecture.md).
 */
export const createExecute = (
  services: Services,
  deploymentServices: DeploymentServices,
  audit: Audit,
  { strict, lenient }: Stores,
  generations: WriteCounters,
  exclusively: KeyedMutex,
) => {
  const {
    blobs,
    checksum,
    clock,
    deployment,
    derivatives,
    ids,
    imaging,
    instances,
    isSearchComplete,
    log,
    merged,
    pages,
    recordCascade,
  } = services
  const settings = settingsCounter(generations)

  /**
   * A token without the role results in Forbidden whether or not the instance exists. Without a token, an operation
   * that a setting permits is Unauthorized if the instance does not exist or has the setting off
   * (docs/behaviour/access.md#unknown-instances).
   */
  const authorise = (
    { subject, action, openedBy }: Pick<Operation<never, unknown>, 'subject' | 'action' | 'openedBy'>,
    identity: Identity,
    number: number,
  ): Outcome<{ readonly role: Role; readonly user: string | null; readonly instance: Instance }> => {
    if (identity !== null) {
      if (E.isLeft(identity)) return TE.left(identity.left)
      const role = roleOn(identity.right, number)
      const needed = roleNeeded(subject, action)
      if (role === null || needed === null || !mayActAs(role, needed)) return TE.left(forbidden)
      return pipe(
        instances.find(number),
        TE.map((instance) => ({ role, user: identity.right.id, instance })),
      )
    }
    if (openedBy === undefined) return TE.left(unauthorized)
    return pipe(
      openedInstance(number, [openedBy]),
      TE.map((instance) => ({ role: 'public_user', user: null, instance })),
    )
  }

  const openedInstance = (number: number, openings: readonly Opening[]): Outcome<Instance> =>
    pipe(
      instances.find(number),
      TE.filterOrElseW(
        (instance) => openings.some((setting) => instance.settings[setting]),
        () => unauthorized,
      ),
      TE.mapLeft((failure) => (failure._tag === 'NotFound' ? unauthorized : failure)),
    )

  // Written out, because spreads of services and caller cost more than many operations.
  const sessionOf = (
    { role, user, client, instance, now, latestTime, links, strict: isStrict }: Caller,
    documents: InstanceDocuments,
    precondition: Precondition | undefined,
  ): Session => {
    let isTimed = false
    const { number } = instance
    const inInstance: KeyedMutex = (key, task) => exclusively(`${number}/${key}`, task)
    return {
      blobs,
      checksum,
      clock,
      deployment,
      derivatives,
      ids,
      imaging,
      instances,
      isSearchComplete,
      log,
      merged,
      pages,
      recordCascade,
      role,
      user,
      client,
      instance,
      now,
      get latestTime() {
        isTimed = true
        return latestTime
      },
      links,
      strict: isStrict,
      documents,
      update: createUpdateDocument(documents, inInstance),
      exclusively: inInstance,
      isTimed: () => isTimed,
      writesTo: (collection) => generations.of(number, collection).value,
      precondition,
      audit: (parameters) =>
        instanceAuditPage({ ...deploymentServices, links, strict: isStrict }, number, parameters),
    }
  }

  /** Decodes the input once the caller is authorised, and authorises again if that took long. */
  const authorisedInput = async <Input, Authorised>(
    { identity, identifyAgain }: DeploymentRequest,
    authoriseAs: (identity: Identity) => Outcome<Authorised>,
    input: Outcome<Input>,
  ): Promise<E.Either<Failure, { readonly authorised: Authorised; readonly decoded: Input }>> => {
    const begun = clock.monotonic()
    const first = await authoriseAs(identity)()
    if (E.isLeft(first)) return first
    const decoded = await input()
    if (E.isLeft(decoded)) return decoded
    const isLate = identifyAgain !== undefined && clock.monotonic() - begun > slowInput
    const authorised = isLate ? await authoriseAs(await identifyAgain())() : first
    return E.isLeft(authorised)
      ? authorised
      : E.right({ authorised: authorised.right, decoded: decoded.right })
  }

  const record = async (
    { identity, address, requestId: request, clientRequestId: clientRequest = null }: DeploymentRequest,
    changes: readonly AuditChange[],
  ): Promise<void> => {
    if (request === null || identity === null || E.isLeft(identity)) return
    const { id, user, key } = identity.right
    const apiKey = id === null ? null : key
    await audit.record({ user: id, name: user, apiKey, address, request, clientRequest }, changes)
  }

  /** Runs an operation for a request. The input is decoded once the caller is authorised. */
  const execute =
    <Input, Output>(
      operation: Operation<Input, Output>,
      request: OperationRequest,
      input: Outcome<Input>,
    ): Outcome<Execution<Output>> =>
    async () => {
      const { instance: number, address, links, strict: isStrict } = request
      const dependencies = new Map<WriteCounter, number>([[settings, settings.value]])
      const ready = await authorisedInput(request, (each) => authorise(operation, each, number), input)
      if (E.isLeft(ready)) return ready
      const { authorised, decoded } = ready.right
      const { role, user, instance } = authorised
      const client = clientOf(user, address ?? '')
      const { now, latestTime } = momentIn(instance, clock.now())
      const caller: Caller = { role, user, client, instance, now, latestTime, links, strict: isStrict }
      const isReading = operation.action === 'read'
      const stored = documentsIn(isReading ? lenient : strict, number, (collection) => {
        const counter = generations.of(number, collection)
        if (!dependencies.has(counter)) dependencies.set(counter, counter.value)
      })
      const observed = isReading ? null : observeObjects(stored, operation.subject)
      const session = sessionOf(caller, observed?.documents ?? stored, request.precondition)
      const output = await operation.run(session, decoded)()
      if (E.isLeft(output)) return output
      if (operation.action !== 'read') {
        // The deletion of the instance may have overtaken the write, which is deleted with it.
        const remaining = await instances.find(number)()
        if (E.isLeft(remaining) && remaining.left._tag === 'NotFound') return remaining
        const { name, subject: collection, action } = operation
        const changed = operation.changed(decoded, output.right)
        const urgent = action === 'remove' ? ({ urgent: true } as const) : {}
        const described = observed?.describe(changed.object)
        const change = { ...described, ...changed, ...urgent, instance: number, operation: name, collection }
        await record(request, [change])
      }
      return E.right({ output: output.right, dependencies, isTimed: session.isTimed() })
    }

  const authoriseOnDeployment = (
    { permission }: Pick<DeploymentOperation<never, unknown>, 'permission'>,
    identity: Identity,
  ): Outcome<Pick<DeploymentSession, 'caller' | 'rights'>> => {
    if (identity === null) return TE.left(unauthorized)
    if (E.isLeft(identity)) return TE.left(identity.left)
    const caller = identity.right
    const rights = rightsOf(caller)
    return hasStanding(rights, standingNeeded(permission)) ? TE.right({ caller, rights }) : TE.left(forbidden)
  }

  /** Runs an operation on the deployment. The input is decoded once the caller is authorised. */
  const executeOnDeployment =
    <Input, Output>(
      operation: DeploymentOperation<Input, Output>,
      request: DeploymentRequest,
      input: Outcome<Input>,
    ): Outcome<Output> =>
    async () => {
      const { links, strict: isStrict } = request
      const ready = await authorisedInput(request, (each) => authoriseOnDeployment(operation, each), input)
      if (E.isLeft(ready)) return ready
      const { authorised, decoded } = ready.right
      const session: DeploymentSession = { ...deploymentServices, ...authorised, links, strict: isStrict }
      const output = await operation.run(session, decoded)()
      if (E.isLeft(output)) return output
      const changes = operation.changed?.(decoded, output.right) ?? []
      const { name, permission } = operation
      await record(
        request,
        changes.map(({ instance = null, ...change }) => ({
          ...change,
          instance,
          operation: name,
          collection: permission.subject,
          urgent: true,
        })),
      )
      return output
    }

  /**
   * Why a request is Unauthorized at an address whose methods all need a token or one of these settings; null if it is
   * not. Precedes 405, 406 and 410 (docs/behaviour/errors.md#missing-token-first).
   */
  const missingToken = async (
    identity: Identity,
    number: number,
    openings: readonly Opening[],
  ): Promise<Failure | null> => {
    if (identity !== null) return E.isLeft(identity) ? identity.left : null
    if (openings.length === 0) return unauthorized
    const opened = await openedInstance(number, openings)()
    return E.isLeft(opened) ? opened.left : null
  }

  return { execute, executeOnDeployment, missingToken }
}

export type Execute = ReturnType<typeof createExecute>['execute']
export type ExecuteOnDeployment = ReturnType<typeof createExecute>['executeOnDeployment']
