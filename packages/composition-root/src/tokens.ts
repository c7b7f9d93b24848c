import type { HttpServer } from '@publishing-service/adapter-koa'
import type {
  Deployment,
  ProvidedPorts,
  ReadRate,
  UseCases,
  WriteCounters,
} from '@publishing-service/application'
import type { ServiceIdentifier } from 'inversify'
import type { Configuration } from './configuration.js'
import type { ServedMetrics } from './served-metrics.js'
import type { WorkerProcess } from './workers/worker-process.js'
import type { ServedTraces } from './served-traces.js'

/** Identifies a part of the container, and has its type: the compiler rejects a factory with other dependencies. */
const token = <T>(name: string): ServiceIdentifier<T> => Symbol(name)

/** Everything that the container can return. */
export const tokens = {
  configuration: token<Configuration>('configuration'),
  /** Null in a process that is no worker. */
  worker: token<WorkerProcess | null>('worker'),
  deployment: token<Deployment>('deployment'),
  documents: token<ProvidedPorts['documents']>('document store'),
  blobs: token<ProvidedPorts['blobs']>('blob store'),
  imaging: token<ProvidedPorts['imaging']>('imaging'),
  clock: token<ProvidedPorts['clock']>('clock'),
  ids: token<ProvidedPorts['ids']>('ids'),
  secrets: token<ProvidedPorts['secrets']>('secrets'),
  checksum: token<ProvidedPorts['checksum']>('checksum'),
  webhookSender: token<ProvidedPorts['webhookSender']>('sender of web hooks'),
  passkeys: token<ProvidedPorts['passkeys']>('passkeys'),
  oneTimeCodes: token<ProvidedPorts['oneTimeCodes']>('one-time codes'),
  passwordStrength: token<ProvidedPorts['passwordStrength']>('password strength'),
  mailSender: token<ProvidedPorts['mailSender']>('sender of mail'),
  identityProvider: token<ProvidedPorts['identityProvider']>('identity provider'),
  log: token<ProvidedPorts['log']>('log'),
  metrics: token<ServedMetrics>('metrics'),
  traces: token<ServedTraces>('traces'),
  requestScopes: token<ProvidedPorts['requestScopes']>('scopes of requests'),
  ports: token<ProvidedPorts>('ports'),
  writeCounters: token<WriteCounters>('write counters'),
  useCases: token<UseCases>('use cases'),
  /** Null where requests are not limited. */
  readRate: token<ReadRate | null>('limits of requests'),
  httpServer: token<HttpServer>('HTTP server'),
} as const
