/** Serves a request: all steps from its headers to the end of the response (docs/architecture.md#a-read). */
import type { Middleware } from 'koa'
import { notFound } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import { attempt, unwrap } from '@publishing-service/application'
import { begin, requireHost } from './begin.js'
import { end, reportDefect } from './end.js'
import type { Reply } from './handler.js'
import { identify } from './identify.js'
import { limit } from './limit.js'
import { recall } from './recall.js'
import { reply } from './reply.js'
import { route } from './route.js'
import { fail } from './send-failure.js'
import type { Service } from './service.js'
import type { WebFileState } from './web-files.js'

/** The middleware that serves every request. The ones after it find the files of pages. */
export const serve =
  (service: Service): Middleware<WebFileState> =>
  async (context, findWebFile) => {
    const exchange = begin(service, context)
    try {
      const outcome = await attempt(async (): Promise<Reply> => {
        requireHost(exchange)
        if (service.isPreflight !== null && (await service.isPreflight(context))) return { _tag: 'Preflight' }
        exchange.identity = await identify(service, exchange)
        limit(service, exchange)
        const recalled = await recall(service, exchange)
        if (recalled !== null) return { _tag: 'Ready', response: recalled }
        const found = await route(service, exchange)
        if (found === null) await findWebFile()
        const routed = unwrap(found ?? context.state.webFile ?? E.left(notFound))
        if (routed._tag !== 'Endpoint') return routed
        // Health checks and short requests are served between long ones, however many requests arrive at once.
        if (routed.endpoint.needsToken) await service.clock.turn()
        return routed.endpoint.handle(service, exchange, routed)
      })
      await reply(service, exchange, outcome)
    } catch (error) {
      reportDefect(service, exchange, error)
      fail(service, exchange, { _tag: 'InternalError' })
    }
    end(service, exchange)
  }
