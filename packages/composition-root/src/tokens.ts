import type { HttpServer } from '@publishing-service/adapter-koa'
import type { Deployment, ReadRate, SharedRates, UseCases } from '@publishing-service/application'
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
import type { Configuration } from './configuration.js'
import { token } from './token.js'

/** Limits of rates; null where there are none, or where they aren't shared. */
type RateLimiting = { readonly readRate: ReadRate | null; readonly shared: SharedRates | null }

/** Everything that the container can give. */
export const tokens = {
  configuration: token<Configuration>('configuration'),
  deployment: token<Deployment>('deployment'),
  documents: token<DocumentStore>('document store'),
  blobs: token<BlobStore>('blob store'),
  imaging: token<Imaging>('imaging'),
  clock: token<Clock>('clock'),
  ids: token<Ids>('ids'),
  secrets: token<Secrets>('secrets'),
  checksum: token<() => Checksum>('checksum'),
  log: token<Log>('log'),
  useCases: token<UseCases>('use cases'),
  rateLimits: token<RateLimiting>('rate limits'),
  httpServer: token<HttpServer>('HTTP server'),
} as const
