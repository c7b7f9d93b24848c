import type { HttpServer } from '@publishing-service/adapter-koa'
import type {
  Deployment,
  ProvidedPorts,
  ReadRate,
  SharedRates,
  UseCases,
  WriteCounters,
} from '@publishing-service/application'
import type { ServiceIdentifier } from 'inversify'
import type { Configuration } from './configuration.js'

/** Identifies a part of the container, and has its type: the compiler rejects a factory with other dependencies. */
const token = <T>(name: string): ServiceIdentifier<T> => Symbol(name)

/** Limits of rates; null where there are none, or where they aren't shared. */
export type RateLimits = { readonly readRate: ReadRate | null; readonly shared: SharedRates | null }

/** Everything that the container can return. */
export const tokens = {
  configuration: token<Configuration>('configuration'),
  deployment: token<Deployment>('deployment'),
  documents: token<ProvidedPorts['documents']>('document store'),
  blobs: token<ProvidedPorts['blobs']>('blob store'),
  imaging: token<ProvidedPorts['imaging']>('imaging'),
  clock: token<ProvidedPorts['clock']>('clock'),
  ids: token<ProvidedPorts['ids']>('ids'),
  secrets: token<ProvidedPorts['secrets']>('secrets'),
  checksum: token<ProvidedPorts['checksum']>('checksum'),
  webhookSender: token<ProvidedPorts['webhookSender']>('sender of web hooks'),
  log: token<ProvidedPorts['log']>('log'),
  ports: token<ProvidedPorts>('ports'),
  writeCounters: token<WriteCounters>('write counters'),
  useCases: token<UseCases>('use cases'),
  rateLimits: token<RateLimits>('rate limits'),
  httpServer: token<HttpServer>('HTTP server'),
} as const
