import { forbidden, notFound } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import { isOpened, type Opening, type OperationAccess, readActions } from '@publishing-service/domain/roles'
import { noKey } from './access/principals.js'
import { attempt, fail, failWithAny, unwrap } from './attempt.js'
import type { Audit, AuditSource } from './audit/audit.js'
import type { Instance } from './caller.js'
import { isHiddenChange } from './changes/hidden-change.js'
import type { AnyDeploymentOperation, DeploymentServices } from './deployment-operation.js'
import { showPreview } from './drafts/show-preview.js'
import { unauthorized, type Failure } from './failure.js'
import type { DescribedChange, InstanceStores, Written } from './instance-store.js'
import type { KeyedMutex } from './keyed-mutex.js'
import { openOnDeployment } from './open-on-deployment.js'
import type { Identity, Opened, OperationRequest } from './operation-request.js'
import type { Operation, WriteOperation } from './operation.js'
import type { AuditChange } from './recording.js'
import { sessionSource } from './session-source.js'
import { Session, type Authorised, type Services, type SessionSource } from './session.js'
import { settingsCounter, type WriteCounter } from './write-counters.js'

/** What an operation on an instance needs: the permission, or a setting that permits it without a token. */
type InstanceAccess = Pick<OperationAccess, 'subject' | 'action' | 'roles' | 'openedBy'>

/** The name of who writes without a token in the audit log. */
const visitor = 'visitor'

/** Who changes something with a request; null if that has no records. */
const auditSourceOf = ({
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

/** Opens sessions for operations. All functions throw a Failure. */
export class Sessions {
  readonly #settings: WriteCounter
  readonly #source: SessionSource

  constructor(
    private readonly services: Services,
    private readonly deploymentServices: DeploymentServices,
    private readonly audit: Audit,
    private readonly stores: InstanceStores,
    exclusively: KeyedMutex,
  ) {
    this.#settings = settingsCounter(stores.writeCounters)
    this.#source = sessionSource(services, deploymentServices, exclusively)
  }

  /** Authorises the request, and opens a session for the operation: on the instance, or on the deployment. */
  async open<Input, Output>(
    operation: Operation<Input, Output> | AnyDeploymentOperation<Input, Output>,
    request: OperationRequest,
  ): Promise<Opened<Input, Output>> {
    if ('permission' in operation)
      return openOnDeployment(this.deploymentServices, this.audit, operation, request, auditSourceOf(request))
    const { identity, instance: named } = request
    if (named === null) fail(notFound)
    // Before the settings are read.
    const settingsWrites = this.#settings.value
    const authorised = await this.#authorise(operation, identity, named)
    const { number } = authorised.instance
    const documents = this.stores.of(number, readActions.has(operation.action) ? 'lenient' : 'strict')
    documents.dependencies.set(this.#settings, settingsWrites)
    if (identity === null) documents.objectsRead = new Map()
    const time = { epoch: this.services.clock.now(), isRead: false }
    const session = new Session(this.#source, authorised, request, documents, time)
    const { preview = null } = identity === null ? {} : unwrap(identity)
    if (preview !== null) await showPreview(session, preview)
    return {
      session,
      run: async (input) => {
        if (!('changed' in operation)) return operation.run(session, input, failWithAny)
        const recording = this.audit.recording(
          auditSourceOf(request),
          (written: readonly (Written | null)[]) => this.#describe(session, operation, input, written),
        )
        documents.recording = recording
        const output = await operation.run(session, input, failWithAny)
        const remaining = await this.services.instances.find(number)()
        if (E.isLeft(remaining) && remaining.left._tag === 'NotFound') fail(remaining.left)
        await recording.end([null])
        return output
      },
    }
  }

  /**
   * Why a request is Unauthorized at an address whose methods all need a token or one of these settings; null if it is
   * not. Precedes 405, 406 and 410 (docs/behaviour/errors.md#missing-token-first).
   */
  async missingToken(
    identity: Identity,
    instance: number,
    openings: readonly Opening[],
  ): Promise<Failure | null> {
    if (identity !== null) return E.isLeft(identity) ? identity.left : null
    const opened = await attempt(() => this.#openedInstance(instance, openings))
    return E.isLeft(opened) ? opened.left : null
  }

  /**
   * A token without the role results in Forbidden whether or not the instance exists. Without a token, an operation
   * that a setting permits is Unauthorized if the instance does not exist or has the setting off
   * (docs/behaviour/access.md#unknown-instances).
   */
  async #authorise(
    { action, roles, openedBy }: InstanceAccess,
    identity: Identity,
    number: number,
  ): Promise<Authorised> {
    if (identity === null) {
      const instance = await this.#openedInstance(number, openedBy)
      return { role: 'public_user', user: null, key: null, instance }
    }
    const { id, key, roles: held, preview } = unwrap(identity)
    const role = held.get(number) ?? null
    if (role === null || !roles.has(role)) fail(forbidden)
    // The token of a preview reads.
    if (preview !== undefined && !readActions.has(action)) fail(forbidden)
    return { role, user: id, key, instance: unwrap(await this.services.instances.find(number)()) }
  }

  /** The instance, if it has one of the settings on; else Unauthorized. */
  async #openedInstance(number: number, openings: readonly Opening[]): Promise<Instance> {
    if (openings.length === 0) fail(unauthorized)
    const found = await this.services.instances.find(number)()
    if (E.isLeft(found)) fail(found.left._tag === 'NotFound' ? unauthorized : found.left)
    if (!isOpened(openings, found.right.settings)) fail(unauthorized)
    return found.right
  }

  /** What the records of a run say about what it writes; null where it writes nothing. */
  async #describe<Input>(
    session: Session,
    { name, subject, changed }: Pick<WriteOperation<Input, unknown>, 'name' | 'subject' | 'changed'>,
    input: Input,
    all: readonly (Written | null)[],
  ): Promise<readonly AuditChange[]> {
    const { documents, instance } = session
    const described: AuditChange[] = []
    for (const written of all) {
      const change = changed(input, written?.id ?? null)
      if (change === null) continue
      const { object, changes } = change
      let about: DescribedChange | null = null
      if (written !== null) {
        const { collection, value: after } = written
        const before = documents.stateBefore(written)
        const isHidden =
          before !== null &&
          after !== null &&
          (await isHiddenChange(
            this.stores.of(instance.number, 'lenient'),
            { collection, before, after },
            session,
          ))
        about = documents.describe(written, before, session, isHidden)
      }
      about ??= {
        collection: subject,
        object,
        title: object === null ? null : documents.nameOf(subject, object),
      }
      described.push({
        ...about,
        ...(changes === undefined ? {} : { changes }),
        instance: instance.number,
        operation: name,
      })
    }
    return described
  }
}
