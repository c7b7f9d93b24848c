import type { HttpServer } from '@publishing-service/adapter-koa'
import type { Deployment, UseCases } from '@publishing-service/application'
import type { BlobStore, Clock, DocumentStore, Ids, Imaging, Log, Secrets } from '@publishing-service/ports'
import type { Configuration } from './configuration-table.js'
import { token } from './token.js'

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
  log: token<Log>('log'),
  useCases: token<UseCases>('use cases'),
  httpServer: token<HttpServer>('HTTP server'),
} as const
