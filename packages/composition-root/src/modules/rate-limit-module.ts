import { createRateLimits, createSharedRates } from '@publishing-service/application'
import { countedClients, rateWindow } from '@publishing-service/domain'
import { providing } from '../token.js'
import { tokens } from '../tokens.js'

/** Counts of requests in memory, and their exchange where several processes share the limits. */
export const rateLimitModule = () =>
  providing(
    tokens.rateLimits,
    [tokens.configuration, tokens.documents, tokens.clock, tokens.ids, tokens.log],
    async (configuration, documents, clock, ids, log) => {
      const mode = configuration.RATE_LIMIT ?? (configuration.STORE === 'mongodb' ? 'shared' : 'process')
      if (mode === 'off') return { readRate: null, shared: null }
      const { memoryRateCounter } = await import('@publishing-service/adapter-memory')
      const counter = (keys: number) => memoryRateCounter(clock, { window: rateWindow * 1000, keys })
      const counters = { key: counter(countedClients.key), address: counter(countedClients.address) }
      const limits = { key: configuration.RATE_LIMIT_KEY, address: configuration.RATE_LIMIT_ADDRESS }
      const shared =
        mode === 'shared' ? createSharedRates({ documents, clock, ids, log }, counters, limits) : null
      return { readRate: createRateLimits(counters, limits, shared), shared }
    },
  )
