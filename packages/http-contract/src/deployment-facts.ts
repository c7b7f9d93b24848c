/** What a deployment decides, as far as clients can tell: with the declarations it makes the documents. */
import {
  defaultStreamingHosts,
  defaultUploadLimits,
  type StreamingHost,
  type UploadLimits,
} from '@publishing-service/domain'
import { defaultJsonLimit } from './limits.js'

export type DeploymentFacts = {
  /** The public address, without a slash at the end; null takes each request’s own (docs/behaviour/wire.md#links). */
  readonly baseUrl: string | null
  /** Bytes a JSON body may have. */
  readonly jsonLimit: number
  /** Bytes the data of a file may have, by MIME type group. */
  readonly uploadLimits: UploadLimits
  readonly streamingHosts: readonly StreamingHost[]
}

/** Where nothing is configured. */
export const defaultFacts: DeploymentFacts = {
  baseUrl: null,
  jsonLimit: defaultJsonLimit,
  uploadLimits: defaultUploadLimits,
  streamingHosts: defaultStreamingHosts,
}
