/** Serves a request: all steps from its headers to the end of the response (docs/architecture.md#a-request). */
import type { Context } from 'koa'
import { attempt } from '@publishing-service/application'
import { needsToken } from '@publishing-service/http-contract'
import { begin, requireHost } from './begin.js'
import { end, reportDefect } from './end.js'
import { handlerOf } from './handlers.js'
import { identify } from './identify.js'
import { limit } from './limit.js'
import { recall } from './recall.js'
import { fail, reply, type Reply } from './reply.js'
import { route } from './route.js'
import type { Service } from './service.js'
import type { FindWebFile } from './web-files.js'

export const serve = async (service: Service, context: Context, findWebFile: FindWebFile): Promise<void> => {
  const exchange = begin(service, context)
  try {
    const outcome = await attempt(async (get): Promise<Reply> => {
      get(requireHost(context))
      if (await service.isPreflight(context)) return { _tag: 'Preflight' }
      exchange.identity = await identify(service.useCases.principals, context)
      get(limit(service, exchange))
      const recalled = await recall(service, exchange)
      if (recalled !== null) return { _tag: 'Ready', response: recalled }
      const routed = get(await route(service, exchange, findWebFile))
      if (routed._tag !== 'Endpoint') return routed
      // Health checks and short requests are served between long ones, however many requests arrive at once.
      if (needsToken(routed.endpoint)) await service.clock.turn()
      return get(await handlerOf(routed.endpoint.id)(service, exchange, routed))
    })
    await reply(service, exchange, outcome)
  } catch (error) {
    reportDefect(service, exchange, error)
    fail(service, exchange, { _tag: 'InternalError' })
  }
  end(service, exchange)
}
