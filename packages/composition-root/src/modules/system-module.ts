import { ContainerModule } from 'inversify'
import {
  pinoLog,
  scryptSecrets,
  sha256Checksum,
  systemClock,
  systemIds,
} from '@publishing-service/adapter-system'
import { provide } from '../token.js'
import { tokens } from '../tokens.js'

/** Time, names, secrets and the log of the machine itself. */
export const systemModule = () =>
  new ContainerModule((options) => {
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
