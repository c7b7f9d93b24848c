import type { Fails, ProblemTag } from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import type { DeploymentOperationAccess, UserRights } from '@publishing-service/access'
import type { Links } from '@publishing-service/domain/engine'
import type { Clock, Ids, OneTimeCodes, Passkeys, PasswordStrength, Secrets } from '@publishing-service/ports'
import type { EmailConfirmation } from './accounts/email-confirmation.js'
import type { EndAccess } from './accounts/end-access.js'
import type { MailQueue } from './accounts/mail-queue.js'
import type { SignInChallenges } from './accounts/sign-in-challenges.js'
import type { SignInLinks } from './accounts/sign-in-links.js'
import type { SignInSessions } from './accounts/sign-in-sessions.js'
import type { Accounts } from './accounts/stored-account.js'
import type { Principal } from './access/principals.js'
import type { AdministerInstances } from './administration/administer-instances.js'
import type { AdministerKeys } from './administration/administer-keys.js'
import type { AdministerUsers } from './administration/administer-users.js'
import type { DeleteInstance } from './administration/delete-instance.js'
import type { Precondition } from './engine/precondition.js'
import type { Fail } from './failure.js'
import type { AuditChange, Recorded } from './recording.js'
import type { InstanceDocuments } from './instance-store.js'

/** What all deployment sessions share. */
export type DeploymentServices = {
  readonly clock: Clock
  /** The documents of the service itself. */
  readonly systemDocuments: InstanceDocuments
  readonly administerUsers: AdministerUsers
  readonly administerKeys: AdministerKeys
  readonly administerInstances: AdministerInstances
  readonly deleteInstance: DeleteInstance
  readonly accounts: Accounts
  readonly signInSessions: SignInSessions
  readonly signInLinks: SignInLinks
  readonly signInChallenges: SignInChallenges
  readonly mailQueue: MailQueue
  readonly emailConfirmation: EmailConfirmation
  readonly endAccess: EndAccess
  readonly secrets: Secrets
  readonly passwordStrength: PasswordStrength
  readonly passkeys: Passkeys
  readonly oneTimeCodes: OneTimeCodes
  readonly ids: Ids
}

/** One execution of an operation on the deployment. It has no instance and no documents of one. */
export type DeploymentSession<Output = never> = DeploymentServices & {
  readonly caller: Principal
  readonly rights: UserRights
  readonly links: Links
  readonly strict: boolean
  /**
   * If-Match and If-None-Match, over the representation of what the operation changes. An operation that does not check it
   * changes nothing that has a representation.
   */
  readonly precondition: Precondition | undefined
  /** Makes the change of the operation with its records. It receives the output. */
  readonly recorded: Recorded<Output>
}

/** What an operation on the deployment has changed. */
export type DeploymentChange = {
  readonly object: string
  /** The name of the object at that time. */
  readonly title?: string | null
  /** The instance whose audit log has it too. */
  readonly instance?: number
  readonly changes?: JsonObject
}

/** The entries of the audit log about changes of the deployment. */
export const auditChangesOf = (
  operation: string,
  collection: string,
  changes: readonly DeploymentChange[],
): readonly AuditChange[] =>
  changes.map(({ instance = null, ...change }) => ({ ...change, instance, operation, collection }))

/**
 * A use case of the deployment, as a value, that declares the problems `F`: it runs in a session of a caller whose standing
 * permits it.
 */
export type DeploymentOperation<Input, Output, F extends ProblemTag = never> = Fails<F> &
  DeploymentOperationAccess & {
    /** Ends with `failWith`, or throws a failure that none declares. It makes its change with `recorded` of the session. */
    readonly run: (session: DeploymentSession<Output>, input: Input, failWith: Fail<F>) => Promise<Output>
    /** What the audit log records of a run; absent if it only reads. */
    readonly changed?: (input: Input, output: Output) => readonly DeploymentChange[]
  }

/** A use case of the deployment, whatever it declares. */
export type AnyDeploymentOperation<Input, Output> = Omit<DeploymentOperation<Input, Output>, 'run'> &
  Pick<DeploymentOperation<Input, Output, ProblemTag>, 'run'>
