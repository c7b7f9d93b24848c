import type { StreamingHost } from '@publishing-service/domain/declare'
import type { ImageLimits, UploadLimits } from '@publishing-service/domain/files'
import type {
  BlobStore,
  Checksum,
  Clock,
  DocumentStore,
  Ids,
  Imaging,
  Log,
  Secrets,
} from '@publishing-service/ports'

/** All ports of the use cases. */
export type Ports = {
  readonly documents: DocumentStore
  readonly blobs: BlobStore
  readonly imaging: Imaging
  readonly clock: Clock
  readonly ids: Ids
  readonly secrets: Secrets
  readonly checksum: () => Checksum
  readonly log: Log
}

/** The configuration of a deployment. */
export type Deployment = {
  readonly streamingHosts: readonly StreamingHost[]
  readonly uploadLimits: UploadLimits
  readonly imageLimits: ImageLimits
  /** How long an orphaned upload is known before it is deleted, in milliseconds. */
  readonly orphanQuarantine: number
}
