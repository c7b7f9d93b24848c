/** What is bound for each part of the service. The configuration chooses the stores and the imaging. */
import {
  pinoLog,
  scryptSecrets,
  sha256Checksum,
  systemClock,
  systemIds,
} from '@publishing-service/adapter-system'
import {
  createUseCases,
  createRateLimits,
  createSharedRates,
  type Deployment,
} from '@publishing-service/application'
import { defaultImageLimits, forEachPolicy, maxCountedClients, rateWindow } from '@publishing-service/domain'
import type { Imaging } from '@publishing-service/ports'
import { ContainerModule } from 'inversify'
import { optionalPackage } from './error-messages.js'
import { scalingLimits, thisMachine, type ScalingLimits } from './job-limits.js'
import { provide, providing, tokens } from './tokens.js'

/** The document store that STORE chooses. */
export const documentsModule = providing(
  tokens.documents,
  [tokens.configuration],
  (configuration) => configuration.documentStore.open(configuration),
  (store) => store.close(),
)

/** The blob store that BLOBS chooses. */
export const blobsModule = providing(
  tokens.blobs,
  [tokens.configuration],
  (configuration) => configuration.blobStore.open(configuration),
  (store) => store.close(),
)

/** Optional packages and their versions. */
export const imagingPackages = { sharp: '0.35.5' } as const

const imagingModule = (open: (limits: ScalingLimits) => Promise<Imaging>) =>
  providing(
    tokens.imaging,
    [tokens.configuration],
    (configuration) => open(scalingLimits(configuration, thisMachine())),
    (imaging) => imaging.close(),
  )

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
export const systemModule = new ContainerModule((options) => {
  const bind = provide(options)
  bind(tokens.clock, [], () => systemClock)
  bind(tokens.ids, [], () => systemIds)
  bind(tokens.secrets, [], () => scryptSecrets())
  bind(tokens.checksum, [], () => sha256Checksum)
  bind(
    tokens.log,
    [tokens.configuration],
    ({ LOG_LEVEL }) => pinoLog({ level: LOG_LEVEL }),
    (log) => log.close(),
  )
})

/** The use cases with the parts that the other modules bind. */
export const applicationModule = new ContainerModule((options) => {
  const bind = provide(options)
  bind(tokens.deployment, [tokens.configuration], (configuration): Deployment => ({
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
      queue: configuration.SCALING_QUEUE,
      clientShare: defaultImageLimits.clientShare,
      newForAddress: configuration.RATE_LIMIT === 'off' ? Infinity : configuration.RATE_LIMIT_SCALING,
    },
    orphanQuarantine: configuration.ORPHAN_QUARANTINE_DAYS * 86_400_000,
  }))
  bind(
    tokens.useCases,
    [
      tokens.documents,
      tokens.blobs,
      tokens.imaging,
      tokens.clock,
      tokens.ids,
      tokens.secrets,
      tokens.checksum,
      tokens.log,
      tokens.deployment,
    ],
    (documents, blobs, imaging, clock, ids, secrets, checksum, log, deployment) =>
      createUseCases({ documents, blobs, imaging, clock, ids, secrets, checksum, log }, deployment),
  )
})

/** Counts of requests in memory, and their exchange if several processes share the limits. */
export const rateLimitModule = providing(
  tokens.rateLimits,
  [tokens.configuration, tokens.documents, tokens.clock, tokens.ids, tokens.log],
  async (configuration, documents, clock, ids, log) => {
    const mode = configuration.RATE_LIMIT ?? (configuration.STORE === 'mongodb' ? 'shared' : 'process')
    if (mode === 'off') return { readRate: null, shared: null }
    const { memoryRateCounter } = await import('@publishing-service/adapter-memory')
    const counters = forEachPolicy((policy) =>
      memoryRateCounter(clock, { window: rateWindow * 1000, keys: maxCountedClients[policy] }),
    )
    const limits = {
      key: configuration.RATE_LIMIT_KEY,
      address: configuration.RATE_LIMIT_ADDRESS,
      public: configuration.RATE_LIMIT_PUBLIC,
    }
    const shared =
      mode === 'shared' ? createSharedRates({ documents, clock, ids, log }, counters, limits) : null
    return { readRate: createRateLimits(counters, limits, shared), shared }
  },
)

/** The HTTP server. It is imported when it is resolved, so commands do not load it. */
export const httpModule = providing(
  tokens.httpServer,
  [tokens.useCases, tokens.rateLimits, tokens.clock, tokens.log, tokens.configuration, tokens.deployment],
  async (useCases, { readRate }, clock, log, configuration, { uploadLimits, streamingHosts }) => {
    const { createHttpServer } = await import('@publishing-service/adapter-koa')
    return createHttpServer(useCases, readRate, clock, log, {
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
      responseCacheBytes: configuration.RESPONSE_CACHE_BYTES,
      unsentBytes: configuration.UNSENT_BYTES,
    })
  },
)
