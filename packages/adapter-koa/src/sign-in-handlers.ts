import type { BegunSession, Visit } from '@publishing-service/application'
import type { ProviderError } from '@publishing-service/access'
import type { Problem } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import { cacheControl, dashboardPath, type SignInEndpoint } from '@publishing-service/http-contract'
import type { Handler, Reply, Routed } from './handler.js'
import { readDeclaredObject } from './read-body.js'
import type { RequestContext } from './request-context.js'
import { jsonReply } from './service-handlers.js'
import {
  beginCookies,
  begunSecretIn,
  cookieIn,
  cookieOf,
  endedCookie,
  isOfOtherPage,
  sessionTokenOf,
} from './session-cookie.js'

const otherPage: Problem = { _tag: 'Forbidden', reason: 'other page' }

const visitOf = (exchange: RequestContext): Visit => {
  const { req } = exchange.context
  return {
    address: exchange.address,
    requestId: exchange.id,
    clientRequestId: exchange.clientId,
    agent: req.headers['user-agent'] ?? null,
    session: sessionTokenOf(req, exchange),
    browserToken: cookieIn(req, exchange, 'known'),
    strict: exchange.isStrict,
    base: exchange.base,
    onSignIn: (signIn) => {
      exchange.signIn = signIn
    },
  }
}

const signedIn = (exchange: RequestContext, { endpoint }: Routed, { token, user }: BegunSession): Reply =>
  jsonReply(endpoint, { uuid: user }, { 'Set-Cookie': cookieOf(exchange, 'session', token) })

const dashboardAt = ({ base }: RequestContext, fragment: string): string =>
  `${base}${dashboardPath}/${fragment}`

const redirect = (location: string, cookies: readonly string[]): Reply => ({
  _tag: 'Redirect',
  location,
  control: cacheControl.none,
  cookies,
})

/** A browser shows what the sign-in page of the dashboard says about the error. */
const failedAtProvider = (
  exchange: RequestContext,
  error: ProviderError,
  cookies: readonly string[] = [],
): Reply => redirect(dashboardAt(exchange, `#/sign-in?error=${error}`), cookies)

/** Refuses requests of pages of another origin. */
export const forOwnPages =
  (handler: Handler): Handler =>
  async (service, exchange, routed) => {
    if (isOfOtherPage(exchange.context.req, exchange)) throw otherPage
    return handler(service, exchange, routed)
  }

/** The endpoints with which people sign in to the dashboard, and out of it. */
export const signInHandlers: Readonly<Record<SignInEndpoint['operation'], Handler>> = {
  readSignIn: async ({ useCases }, _exchange, { endpoint }) =>
    jsonReply(endpoint, { ...useCases.signIn.ways }),

  signInWithKey: async (service, exchange, routed) => {
    const body = await readDeclaredObject(service, exchange.context.req)
    return signedIn(exchange, routed, await service.useCases.signIn.withKey(visitOf(exchange), body))
  },

  signInWithPassword: async (service, exchange, routed) => {
    const body = await readDeclaredObject(service, exchange.context.req)
    const { browserToken, ...begun } = await service.useCases.signIn.withPassword(visitOf(exchange), body)
    exchange.headers.push('Set-Cookie', cookieOf(exchange, 'known', browserToken))
    return signedIn(exchange, routed, begun)
  },

  createSignInOptions: async ({ useCases }, exchange, { endpoint }) =>
    jsonReply(endpoint, { options: await useCases.signIn.passkeyOptions(visitOf(exchange)) }),

  signInWithPasskey: async (service, exchange, routed) => {
    const body = await readDeclaredObject(service, exchange.context.req)
    return signedIn(exchange, routed, await service.useCases.signIn.withPasskey(visitOf(exchange), body))
  },

  createLinkOptions: async (service, exchange, { endpoint }) => {
    const body = await readDeclaredObject(service, exchange.context.req)
    const options = await service.useCases.signIn.linkPasskeyOptions(visitOf(exchange), body)
    return jsonReply(endpoint, { options })
  },

  forgetPassword: async (service, exchange, { endpoint }) => {
    const body = await readDeclaredObject(service, exchange.context.req)
    const dashboard = `${exchange.base}${dashboardPath}`
    await service.useCases.signIn.forgotten(visitOf(exchange), body, dashboard)
    return jsonReply(endpoint, { msg: 'accepted' })
  },

  beginProviderSignIn: async ({ useCases }, exchange) => {
    const { query, req } = exchange.context
    const { to } = query
    const begun = await useCases.signIn.provider.begin(visitOf(exchange), typeof to === 'string' ? to : '/')
    if (E.isLeft(begun)) return failedAtProvider(exchange, begun.left)
    const { address, ...known } = begun.right
    return redirect(address, beginCookies(req, exchange, known))
  },

  finishProviderSignIn: async ({ useCases }, exchange) => {
    const { req, query, url } = exchange.context
    const state = typeof query['state'] === 'string' ? query['state'] : ''
    // The browser comes from the provider, so from another site.
    const answer = { state, secret: begunSecretIn(req, exchange, state) ?? '' }
    const ended = await useCases.signIn.provider.finish(visitOf(exchange), url, answer)
    if (E.isLeft(ended)) return failedAtProvider(exchange, ended.left, [endedCookie(exchange, state)])
    const { token, to } = ended.right
    return redirect(dashboardAt(exchange, `#${to}`), [
      cookieOf(exchange, 'session', token),
      endedCookie(exchange, state),
    ])
  },

  signOut: async ({ useCases }, exchange, { endpoint }) => {
    const token = sessionTokenOf(exchange.context.req, exchange)
    const next = `${exchange.base}${dashboardPath}`
    const provider = token === null ? null : await useCases.signIn.signOut(token, next)
    return jsonReply(
      endpoint,
      { msg: 'signed out', provider_url: provider },
      { 'Set-Cookie': cookieOf(exchange, 'session', null) },
    )
  },

  readLink: async (service, exchange, { endpoint }) => {
    const body = await readDeclaredObject(service, exchange.context.req)
    return jsonReply(endpoint, await service.useCases.signIn.readLink(visitOf(exchange), body))
  },

  useLink: async (service, exchange, routed) => {
    const body = await readDeclaredObject(service, exchange.context.req)
    const dashboard = `${exchange.base}${dashboardPath}`
    const begun = await service.useCases.signIn.useLink(visitOf(exchange), body, dashboard)
    return signedIn(exchange, routed, begun)
  },
}
