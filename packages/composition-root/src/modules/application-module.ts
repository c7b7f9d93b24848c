import { ContainerModule } from 'inversify'
import { createUseCases, type Deployment } from '@publishing-service/application'
import { defaultImageLimits } from '@publishing-service/domain'
import { provide } from '../token.js'
import { tokens } from '../tokens.js'

/** The use cases over whatever the other modules bind. */
export const applicationModule = () =>
  new ContainerModule((options) => {
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
