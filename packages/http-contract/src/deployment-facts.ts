/** The configuration of a deployment that clients can observe. The documents are generated from it and the declarations. */
import { defaultStreamingHosts, type StreamingHost } from '@publishing-service/domain/declare'
import { defaultUploadLimits, type UploadLimits } from '@publishing-service/domain/files'
import { defaultJsonLimit } from './limits.js'

export type DeploymentFacts = {
  /** The public address, without a slash at the end; null uses the address of each request (docs/behaviour/wire.md#links). */
  readonly baseUrl: string | null
  /** Maximum size of a JSON body in bytes. */
  readonly jsonLimit: number
  /** Maximum size of the data of a file in bytes, by MIME type group. */
  readonly uploadLimits: UploadLimits
  readonly streamingHosts: readonly StreamingHost[]
}

/** The defaults, if nothing is configured. */
export const defaultFacts: DeploymentFacts = {
  baseUrl: null,
  jsonLimit: defaultJsonLimit,
  uploadLimits: defaultUploadLimits,
  streamingHosts: defaultStreamingHosts,
}
