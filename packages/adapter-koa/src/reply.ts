/** Sends the response of a request. */
import { E } from '@publishing-service/domain/fp'
import { withSharedMaxAge } from '@publishing-service/http-contract'
import { varyOf } from './cross-origin.js'
import { defaultThumbnail } from './default-thumbnail.js'
import { codedTag, unchangedTag } from './entity-tag.js'
import type { EndpointReply, Reply } from './handler.js'
import { headersWithPolicy, sendHead, writeHead, type RequestContext } from './request-context.js'
import { dataResponse, sendData } from './send-data.js'
import type { Service } from './service.js'
import { type Coding, type ReadyResponse, textResponse } from './ready-response.js'
import { smallBody } from './waiting.js'

/** Bytes of the shortest body that is compressed: shorter ones fit into a packet or two. */
const shortestCompressed = 1024

const sendEmpty = (
  context: RequestContext,
  status: number,
  headers: Readonly<Record<string, string>>,
): void => {
  writeHead(context, status, { ...headers, 'Content-Length': '0' })
  context.koa.res.end()
}

/** A redirect that needs no token does not depend on it. */
const sendRedirect = (
  context: RequestContext,
  location: string,
  control: string,
  isPublic: boolean,
): void => {
  const headers = { Location: location, 'Cache-Control': control }
  sendEmpty(context, 302, isPublic ? headers : { ...headers, Vary: varyOf(context.koa.res) })
}

/** What a response is sent with. */
export type SendingService = Pick<Service, 'cache' | 'compression' | 'isPreflight' | 'unsent'>

const headersOf = (
  { isPreflight }: SendingService,
  context: RequestContext,
  { control, vary, policy }: ReadyResponse,
  tag: string,
): string[] => {
  const headers = policy === undefined ? [...context.headers] : headersWithPolicy(context, policy)
  headers.push('Cache-Control', control)
  if (tag !== '') headers.push('ETag', tag)
  if (vary !== '') headers.push('Vary', isPreflight === null ? vary : varyOf(context.koa.res, vary))
  return headers
}

/** Sends a response, compressed where the client accepts that, or 304 where the client has it. Throws a Failure. */
export const sendReady = async (
  service: SendingService,
  context: RequestContext,
  response: ReadyResponse,
): Promise<void> => {
  const { req, res } = context.koa
  const { body: plain, forms, tag } = response
  const { 'accept-encoding': accepted, 'if-none-match': known } = req.headers
  const isCompressed = forms !== null && accepted !== undefined && plain.length >= shortestCompressed
  const preferred = isCompressed ? service.compression.codingFor(accepted) : null
  if (tag !== '' && known !== undefined) {
    const selected = preferred === null ? tag : codedTag(tag, preferred)
    const unchanged = unchangedTag(known, accepted, tag, selected)
    if (unchanged !== null) {
      sendHead(res, 304, headersOf(service, context, response, unchanged))
      res.end()
      return
    }
  }
  let body = plain
  let coding: Coding | null = null
  if (preferred !== null) {
    const form = await service.compression.formOf(response, preferred, () => {
      if (context.cacheLookup !== null) service.cache.resize(context.cacheLookup, response)
    })
    if (form !== null) [body, coding] = [form, preferred]
  }
  const refusal = body.length <= smallBody ? null : service.unsent.add(res, body.length)
  if (refusal !== null) throw refusal
  const sentTag = coding === null || tag === '' ? tag : codedTag(tag, coding)
  const headers = headersOf(service, context, response, sentTag)
  headers.push(...response.headers, 'Content-Length', String(body.length))
  if (coding !== null) headers.push('Content-Encoding', coding)
  sendHead(res, 200, headers)
  // A text is ASCII: one byte per character.
  context.sentBytes = body.length
  res.end(body, 'latin1')
}

const sendResult = async (
  service: Service,
  context: RequestContext,
  { endpoint, result, validity, shared }: EndpointReply,
): Promise<void> => {
  const { cache, cachingHeaders, clock, options } = service
  const { caching, deprecated, isAnyType } = endpoint
  const { identity } = context
  // What a preview shows changes while caches would keep its responses.
  const isPreview = identity !== null && E.isRight(identity) && identity.right.preview !== undefined
  const isPublic = shared !== null
  const isForEveryone = endpoint.kind === 'operation' && endpoint.isSameForRoles
  const openAudience = isForEveryone ? 'everyone' : 'public'
  const audience = isPublic ? openAudience : 'private'
  const tags = shared === null ? [] : ['Cache-Tag', shared.tags.join(',')]
  const lookup = caching === 'none' || caching === 'unstored' ? null : context.cacheLookup
  switch (result._tag) {
    case 'Redirect': {
      const { control } = cachingHeaders[isPreview ? 'unstored' : result.caching][audience]
      return sendRedirect(context, result.location, control, isPublic && isForEveryone)
    }
    case 'DefaultThumbnail':
    case 'Data': {
      const download = result._tag === 'Data' ? result.download : defaultThumbnail(result.kind)
      // The key of the cache does not have the header Accept.
      const isCached = !isPublic && !download.dependsOn.accept && download.bytes <= cache.maxDataBytes
      if (lookup === null || validity === null || !isCached) return sendData(service, context, download, tags)
      const small = await dataResponse(download)
      cache.add(lookup, small, { ...validity, endpoint: endpoint.id, isAnyType })
      return sendReady(service, context, small)
    }
    case 'Json':
    case 'Text': {
      const sent =
        deprecated === undefined || result._tag === 'Text'
          ? result
          : { ...result, headers: { ...result.headers, Deprecation: 'true' } }
      const isTagged = caching !== 'none'
      const headers = cachingHeaders[isPreview ? 'unstored' : caching][audience]
      const isShared = shared !== null && headers.hasSharedMaxAge
      const control = isShared ? withSharedMaxAge(headers.control, shared.maxAge) : headers.control
      const response = await textResponse(
        sent,
        { control, vary: headers.vary },
        tags,
        { isTagged, isCompressed: options.compression },
        clock,
      )
      if (lookup !== null && validity !== null)
        cache.add(lookup, response, { ...validity, endpoint: endpoint.id, isAnyType })
      return sendReady(service, context, response)
    }
  }
}

/** Sends what the request is answered with. Throws a Failure. */
export const reply = async (service: Service, context: RequestContext, answer: Reply): Promise<void> => {
  switch (answer._tag) {
    case 'Result':
      return sendResult(service, context, answer)
    case 'Ready':
      return sendReady(service, context, answer.response)
    case 'Redirect':
      for (const each of answer.cookies ?? []) context.headers.push('Set-Cookie', each)
      return sendRedirect(context, answer.location, answer.control, false)
    case 'Allowed':
      return sendEmpty(context, 200, { Allow: answer.methods.join(', ') })
    case 'Preflight':
      return sendEmpty(context, 200, {})
  }
}
