import type { StreamingHost } from '@publishing-service/domain/declare'
import type { ProviderRules, SecondFactor } from '@publishing-service/access'
import type { UploadLimits } from '@publishing-service/domain/files'
import type { ImageLimits } from '@publishing-service/domain/images'
import type {
  BlobStore,
  Checksum,
  Clock,
  DocumentStore,
  IdentityProvider,
  Ids,
  Imaging,
  Log,
  MailSender,
  Metrics,
  OneTimeCodes,
  Passkeys,
  PasswordStrength,
  RequestScopes,
  Secrets,
  SingleChanges,
  SingleReads,
  Traces,
  WebhookSender,
} from '@publishing-service/ports'

/** A document store with its single changes and reads as functions. */
export type Documents = DocumentStore & SingleChanges & SingleReads

/** All ports of the use cases. */
export type Ports = {
  readonly documents: Documents
  readonly blobs: BlobStore
  readonly imaging: Imaging
  readonly clock: Clock
  readonly ids: Ids
  readonly secrets: Secrets
  readonly checksum: () => Checksum
  readonly webhookSender: WebhookSender
  readonly passkeys: Passkeys
  readonly oneTimeCodes: OneTimeCodes
  readonly passwordStrength: PasswordStrength
  /** Null if the deployment sends no mail. */
  readonly mailSender: MailSender | null
  /** Null if nobody signs in with a provider. */
  readonly identityProvider: IdentityProvider | null
  readonly log: Log
  readonly metrics: Metrics
  /** Null if no log says which request a call was made for. */
  readonly requestScopes: RequestScopes | null
  /** Null if nobody collects traces. */
  readonly traces: Traces | null
}

/** The ports as a deployment provides them. */
export type ProvidedPorts = Omit<Ports, 'documents'> & { readonly documents: DocumentStore }

/** The configuration of a deployment. */
export type Deployment = {
  readonly streamingHosts: readonly StreamingHost[]
  readonly uploadLimits: UploadLimits
  readonly imageLimits: ImageLimits
  /** How long an orphaned upload is known before it is deleted, in milliseconds. */
  readonly orphanQuarantine: number
  /** How long entries of the audit log are retained, in milliseconds. */
  readonly auditTime: number
  /** How many versions of an object are retained. */
  readonly retainedVersions: number
  /** How long the replaced data of a file is retained, in milliseconds; 0 if not at all. */
  readonly replacedDataTime: number
  /** How long a deleted object is in the trash, in milliseconds; 0 for no trash. */
  readonly trashTime: number
  /** Whether people who sign in with a password need a second factor. */
  readonly secondFactor: SecondFactor
  /** How people sign in with the identity provider; null without one. */
  readonly provider: ProviderRules | null
}
