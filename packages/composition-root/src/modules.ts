/** What is bound for each part of the service. The configuration chooses the stores and the imaging. */
import type { HttpServer } from '@publishing-service/adapter-koa'
import {
  openidProvider,
  passwordStrength,
  totpCodes,
  webauthnPasskeys,
} from '@publishing-service/adapter-identity'
import {
  asyncRequestScopes,
  httpWebhookSender,
  pinoLog,
  scryptSecrets,
  sha256Checksum,
  smtpMailSender,
  systemClock,
  systemIds,
} from '@publishing-service/adapter-system'
import {
  createRateLimits,
  createUseCases,
  type Deployment,
  type ProvidedPorts,
  type ReadRate,
  type UseCases,
  WriteCounters,
} from '@publishing-service/application'
import { defaultImageLimits } from '@publishing-service/domain/images'
import type { ProviderRules } from '@publishing-service/access'
import type { Imaging, Log } from '@publishing-service/ports'
import { ContainerModule, type ServiceIdentifier } from 'inversify'
import type { Configuration } from './configuration.js'
import { leastUnsentBytes } from './configuration-table.js'
import { optionalPackage } from './error-messages.js'
import { partOf, scalingLimits, thisMachine, type ScalingLimits } from './job-limits.js'
import { openMetrics } from './served-metrics.js'
import { openTraces } from './served-traces.js'
import { tokens } from './tokens.js'
import type { WorkerProcess } from './workers/worker-process.js'

/** A module of one part that the configuration opens, and that is closed at the end. */
const closedModule = <P extends { readonly close: () => Promise<void> }>(
  token: ServiceIdentifier<P>,
  open: (configuration: Configuration, log: Log, writeCounters: WriteCounters) => Promise<P>,
): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(token)
      .toResolvedValue(open, [tokens.configuration, tokens.log, tokens.writeCounters])
      .onDeactivation((part) => part.close())
  })

export const documentsModule = closedModule(tokens.documents, (configuration, ...parts) =>
  configuration.documentStore.open(configuration, ...parts),
)
export const blobsModule = closedModule(tokens.blobs, (configuration, ...parts) =>
  configuration.blobStore.open(configuration, ...parts),
)

/** Optional packages and their versions. */
export const imagingPackages = { sharp: '0.35.5' } as const

const imagingModule = (open: (limits: ScalingLimits) => Promise<Imaging>): ContainerModule =>
  closedModule(tokens.imaging, (configuration) => open(scalingLimits(configuration, thisMachine())))

/** The module for each value of IMAGING. Adapters are imported when they are selected. */
export const imagingModules = {
  jimp: imagingModule(async (limits) =>
    (await import('@publishing-service/adapter-jimp')).jimpImaging(limits),
  ),
  sharp: imagingModule(async (limits) => {
    const { sharpImaging } = await optionalPackage(
      'sharp',
      () => import('@publishing-service/adapter-sharp'),
      `IMAGING=sharp needs the package sharp, which is not installed: run npm install --no-save --omit=dev sharp@${imagingPackages.sharp}, or set IMAGING=jimp`,
    )
    return sharpImaging(limits)
  }),
} as const

/** Time, names, secrets and the log of the machine itself. */
export const systemModule = new ContainerModule(({ bind }) => {
  bind(tokens.clock).toConstantValue(systemClock)
  bind(tokens.ids).toConstantValue(systemIds)
  bind(tokens.secrets).toResolvedValue(() => scryptSecrets())
  bind(tokens.checksum).toConstantValue(sha256Checksum)
  bind(tokens.log)
    .toResolvedValue(
      ({ LOG_LEVEL: level }: Configuration, worker: WorkerProcess | null) =>
        pinoLog({ level, worker: worker?.number ?? null }),
      [tokens.configuration, tokens.worker],
    )
    .onDeactivation((log) => log.close())
})

/** What the service says of itself, besides the log. */
export const watchModule = new ContainerModule(({ bind }) => {
  bind(tokens.metrics)
    .toResolvedValue(openMetrics, [tokens.configuration, tokens.worker])
    .onDeactivation((served) => served.close())
  bind(tokens.traces)
    .toResolvedValue(openTraces, [tokens.configuration, tokens.log])
    .onDeactivation((served) => served.close())
  bind(tokens.requestScopes).toResolvedValue(
    ({ SLOW_REQUEST }: Configuration, log: Log) =>
      SLOW_REQUEST > 0 || log.enabled('debug') ? asyncRequestScopes() : null,
    [tokens.configuration, tokens.log],
  )
})

/** What sends deliveries of web hooks. */
export const webhooksModule = closedModule(
  tokens.webhookSender,
  async ({ WEBHOOKS_ALLOW_PRIVATE: allowPrivate }) => httpWebhookSender({ allowPrivate }),
)

/** What people sign in with, and the mail to them. */
export const identityModule = new ContainerModule(({ bind }) => {
  bind(tokens.passkeys).toDynamicValue(webauthnPasskeys)
  bind(tokens.oneTimeCodes).toConstantValue(totpCodes)
  bind(tokens.passwordStrength).toDynamicValue(passwordStrength)
  bind(tokens.mailSender)
    .toResolvedValue(
      async ({ SMTP_URL: url, MAIL_FROM: from }: Configuration) =>
        url === null || from === null ? null : smtpMailSender({ url, from }),
      [tokens.configuration],
    )
    .onDeactivation((sender) => sender?.close())
  bind(tokens.identityProvider).toResolvedValue(
    async (configuration: Configuration) => {
      const {
        OIDC_ISSUER: issuer,
        OIDC_CLIENT_ID: clientId,
        OIDC_CLIENT_SECRET: clientSecret,
      } = configuration
      return issuer === null || clientId === null || clientSecret === null
        ? null
        : openidProvider({ issuer, clientId, clientSecret, scopes: configuration.OIDC_SCOPES })
    },
    [tokens.configuration],
  )
})

const providerRulesOf = (configuration: Configuration): ProviderRules | null => {
  const { OIDC_ISSUER: issuer, OIDC_BUTTON: button, OIDC_ROLES: roles, OIDC_UNKNOWN: unknown } = configuration
  return issuer === null ? null : { button: button ?? new URL(issuer).host, roles, unknown }
}

const deploymentOf = (configuration: Configuration): Deployment => ({
  streamingHosts: configuration.STREAMING_HOSTS,
  uploadLimits: {
    image: configuration.IMAGE_LIMIT,
    audio: configuration.AUDIO_LIMIT,
    video: configuration.VIDEO_LIMIT,
    application: configuration.APPLICATION_LIMIT,
    other: configuration.OTHER_LIMIT,
  },
  imageLimits: {
    pixels: configuration.IMAGE_PIXELS,
    derivatives: configuration.IMAGE_DERIVATIVES,
    queue: partOf(configuration.SCALING_QUEUE, configuration, Math.min(1, configuration.SCALING_QUEUE)),
    clientShare: defaultImageLimits.clientShare,
    newForAddress: configuration.RATE_LIMIT === 'off' ? Infinity : configuration.RATE_LIMIT_SCALING,
  },
  orphanQuarantine: configuration.ORPHAN_QUARANTINE_DAYS * 86_400_000,
  trashTime: configuration.TRASH_DAYS * 86_400_000,
  auditTime: configuration.AUDIT_DAYS * 86_400_000,
  retainedVersions: configuration.VERSIONS_KEPT,
  replacedDataTime: configuration.REPLACED_DATA_DAYS * 86_400_000,
  secondFactor: configuration.SECOND_FACTOR,
  provider: providerRulesOf(configuration),
})

/** Counts of requests in memory, which are exchanged if several processes share the limits; null without limits. */
const readRateOf = (
  configuration: Configuration,
  { clock }: ProvidedPorts,
  { sharedRates }: UseCases,
): ReadRate | null => {
  const isShared =
    configuration.WORKERS > 1 || configuration.STORE === 'postgresql' || configuration.STORE === 'mongodb'
  const mode = configuration.RATE_LIMIT ?? (isShared ? 'shared' : 'process')
  if (mode === 'off') return null
  const limits = {
    key: configuration.RATE_LIMIT_KEY,
    address: configuration.RATE_LIMIT_ADDRESS,
    public: configuration.RATE_LIMIT_PUBLIC,
    comments: configuration.RATE_LIMIT_COMMENTS,
  }
  return createRateLimits(clock, limits, mode === 'shared' ? sharedRates : null)
}

/** Imports the server when it is requested, so commands do not load it. */
const openHttpServer = async (
  useCases: UseCases,
  readRate: ReadRate | null,
  watch: ProvidedPorts,
  configuration: Configuration,
): Promise<HttpServer> => {
  const { createHttpServer } = await import('@publishing-service/adapter-koa')
  const { uploadLimits, streamingHosts } = deploymentOf(configuration)
  return createHttpServer(useCases, readRate, watch, {
    baseUrl: configuration.BASE_URL,
    trustProxy: configuration.TRUST_PROXY,
    bareLinks: configuration.BARE_LINKS,
    jsonLimit: configuration.JSON_LIMIT,
    uploadLimits,
    streamingHosts,
    corsOrigins: configuration.CORS_ORIGINS,
    jsonSeconds: configuration.JSON_SECONDS,
    connectionsPerAddress: configuration.CONNECTIONS_PER_ADDRESS,
    compression: configuration.COMPRESSION,
    responseCacheBytes: partOf(configuration.RESPONSE_CACHE_BYTES, configuration),
    unsentBytes: partOf(configuration.UNSENT_BYTES, configuration, leastUnsentBytes),
    slowRequest: configuration.SLOW_REQUEST,
  })
}

/** Workers tell each other what they write, except on a file, which tells each what was committed. */
const openWriteCounters = ({ documentStore }: Configuration, worker: WorkerProcess | null): WriteCounters => {
  const counters = new WriteCounters()
  if (worker !== null && documentStore.medium !== 'folder') {
    counters.tellOthersBy(worker.tellOthers)
    worker.onOthersWrote((written) => {
      for (const [instance, collection] of written) counters.count(instance, collection)
    })
  }
  return counters
}

/** What the adapters are used by: the use cases, the limits of requests and the HTTP server. */
export const serviceModule = new ContainerModule(({ bind }) => {
  const { configuration, deployment, useCases, readRate, ports, writeCounters } = tokens
  bind(writeCounters).toResolvedValue(openWriteCounters, [configuration, tokens.worker])
  bind(ports).toDynamicValue(async (parts) => ({
    documents: await parts.getAsync(tokens.documents),
    blobs: await parts.getAsync(tokens.blobs),
    imaging: await parts.getAsync(tokens.imaging),
    clock: await parts.getAsync(tokens.clock),
    ids: await parts.getAsync(tokens.ids),
    secrets: await parts.getAsync(tokens.secrets),
    checksum: await parts.getAsync(tokens.checksum),
    webhookSender: await parts.getAsync(tokens.webhookSender),
    passkeys: await parts.getAsync(tokens.passkeys),
    oneTimeCodes: await parts.getAsync(tokens.oneTimeCodes),
    passwordStrength: await parts.getAsync(tokens.passwordStrength),
    mailSender: await parts.getAsync(tokens.mailSender),
    identityProvider: await parts.getAsync(tokens.identityProvider),
    log: await parts.getAsync(tokens.log),
    metrics: (await parts.getAsync(tokens.metrics)).metrics,
    requestScopes: await parts.getAsync(tokens.requestScopes),
    traces: (await parts.getAsync(tokens.traces)).traces,
  }))
  bind(deployment).toResolvedValue(deploymentOf, [configuration])
  bind(useCases).toResolvedValue(createUseCases, [ports, deployment, writeCounters])
  bind(readRate).toResolvedValue(readRateOf, [configuration, ports, useCases])
  bind(tokens.httpServer).toResolvedValue(openHttpServer, [useCases, readRate, ports, configuration])
})
