/** Sends the response of a request. */
import { E } from '@publishing-service/domain'
import type { Failure } from '@publishing-service/application'
import { varyOf } from './cross-origin.js'
import { defaultThumbnail } from './default-thumbnail.js'
import type { EndpointReply, Reply } from './handler.js'
import { setExchangeHeaders, type RequestContext } from './request-context.js'
import { dataResponse, sendData } from './send-data.js'
import { fail } from './send-failure.js'
import { sendReady } from './send-ready.js'
import type { Service } from './service.js'
import { textResponse } from './text-response.js'

const sendEmpty = (
  exchange: RequestContext,
  status: number,
  headers: Readonly<Record<string, string>>,
): void => {
  setExchangeHeaders(exchange)
  exchange.context.res.writeHead(status, { ...headers, 'Content-Length': 0 }).end()
}

/** A redirect that needs no token does not depend on it. */
const sendRedirect = (
  exchange: RequestContext,
  location: string,
  control: string,
  isPublic: boolean,
): void => {
  const headers = { Location: location, 'Cache-Control': control }
  sendEmpty(exchange, 302, isPublic ? headers : { ...headers, Vary: varyOf(exchange.context.res) })
}

const sendResult = async (
  service: Service,
  exchange: RequestContext,
  { endpoint, result, validity }: EndpointReply,
): Promise<void> => {
  const { cache, cachingHeaders, clock, options } = service
  const { caching, deprecated, isAnyType } = endpoint
  const isPublic = endpoint.openedBy !== undefined && exchange.identity === null
  const audience = isPublic ? 'public' : 'private'
  const lookup = caching === 'none' ? null : exchange.cacheLookup
  switch (result._tag) {
    case 'Redirect': {
      const { control } = cachingHeaders[result.caching][audience]
      return sendRedirect(exchange, result.location, control, isPublic)
    }
    case 'DefaultThumbnail':
    case 'Data': {
      const download = result._tag === 'Data' ? result.download : defaultThumbnail(result.kind)
      if (lookup === null || validity === null || isPublic || download.bytes > cache.maxDataBytes) {
        const failure = await sendData(service, exchange, download)
        return failure === null ? undefined : fail(service, exchange, failure)
      }
      const small = await dataResponse(download)
      if (E.isLeft(small)) return fail(service, exchange, small.left)
      cache.add(lookup, small.right, { ...validity, isAnyType })
      return sendReady(service, exchange, small.right)
    }
    case 'Json':
    case 'Text': {
      const sent =
        deprecated === undefined || result._tag === 'Text'
          ? result
          : { ...result, headers: { ...result.headers, Deprecation: 'true' } }
      const isTagged = caching !== 'none'
      const headers = cachingHeaders[caching][audience]
      const response = await textResponse(
        sent,
        headers,
        { isTagged, isCompressed: options.compression },
        clock,
      )
      if (lookup !== null && validity !== null) cache.add(lookup, response, { ...validity, isAnyType })
      return sendReady(service, exchange, response)
    }
  }
}

export const reply = async (
  service: Service,
  exchange: RequestContext,
  outcome: E.Either<Failure, Reply>,
): Promise<void> => {
  if (E.isLeft(outcome)) return fail(service, exchange, outcome.left)
  const answer = outcome.right
  switch (answer._tag) {
    case 'Result':
      return sendResult(service, exchange, answer)
    case 'Ready':
      return sendReady(service, exchange, answer.response)
    case 'Redirect':
      return sendRedirect(exchange, answer.location, answer.control, false)
    case 'Allowed':
      return sendEmpty(exchange, 200, { Allow: answer.methods.join(', ') })
    case 'Preflight':
      return sendEmpty(exchange, 200, {})
  }
}
