import type { BegunSession, Visit } from '@publishing-service/application'
import type { ProviderError } from '@publishing-service/access'
import { E } from '@publishing-service/domain/fp'
import { cacheControl, dashboardPath, signInEndpoints } from '@publishing-service/http-contract'
import { bindVisitor } from './bind.js'
import type { Reply, Routed, ServedEndpoint } from './handler.js'
import { readDeclaredObject } from './read-body.js'
import type { RequestContext } from './request-context.js'
import { jsonReply } from './service-handlers.js'
import {
  beginCookies,
  begunSecretIn,
  cookieIn,
  cookieOf,
  endedCookie,
  sessionTokenOf,
} from './session-cookie.js'

const visitOf = (context: RequestContext): Visit => {
  const { req } = context.koa
  return {
    address: context.address,
    requestId: context.id,
    clientRequestId: context.clientId,
    agent: req.headers['user-agent'] ?? null,
    session: sessionTokenOf(req, context),
    browserToken: cookieIn(req, context, 'known'),
    strict: context.isStrict,
    base: context.base,
    onSignIn: (signIn) => {
      context.signIn = signIn
    },
  }
}

const signedIn = (context: RequestContext, { endpoint }: Routed, { token, user }: BegunSession): Reply =>
  jsonReply(endpoint, { uuid: user }, { 'Set-Cookie': cookieOf(context, 'session', token) })

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
  context: RequestContext,
  error: ProviderError,
  cookies: readonly string[] = [],
): Reply => redirect(dashboardAt(context, `#/sign-in?error=${error}`), cookies)

/** The endpoints with which people sign in to the dashboard, and out of it. */
export const servedSignIn: readonly ServedEndpoint[] = [
  bindVisitor(signInEndpoints.readSignIn, async ({ useCases }, _context, { endpoint }) =>
    jsonReply(endpoint, { ...useCases.signIn.ways }),
  ),

  bindVisitor(signInEndpoints.signInWithKey, async (service, context, routed, failWith) => {
    const body = await readDeclaredObject(service, context.koa.req)
    return signedIn(context, routed, await service.useCases.signIn.withKey(visitOf(context), body, failWith))
  }),

  bindVisitor(signInEndpoints.signInWithPassword, async (service, context, routed, failWith) => {
    const body = await readDeclaredObject(service, context.koa.req)
    const { browserToken, ...begun } = await service.useCases.signIn.withPassword(
      visitOf(context),
      body,
      failWith,
    )
    context.headers.push('Set-Cookie', cookieOf(context, 'known', browserToken))
    return signedIn(context, routed, begun)
  }),

  bindVisitor(signInEndpoints.createSignInOptions, async ({ useCases }, context, { endpoint }) =>
    jsonReply(endpoint, { options: await useCases.signIn.passkeyOptions(visitOf(context)) }),
  ),

  bindVisitor(signInEndpoints.signInWithPasskey, async (service, context, routed, failWith) => {
    const body = await readDeclaredObject(service, context.koa.req)
    return signedIn(
      context,
      routed,
      await service.useCases.signIn.withPasskey(visitOf(context), body, failWith),
    )
  }),

  bindVisitor(signInEndpoints.createLinkOptions, async (service, context, { endpoint }, failWith) => {
    const body = await readDeclaredObject(service, context.koa.req)
    const options = await service.useCases.signIn.linkPasskeyOptions(visitOf(context), body, failWith)
    return jsonReply(endpoint, { options })
  }),

  bindVisitor(signInEndpoints.forgetPassword, async (service, context, { endpoint }) => {
    const body = await readDeclaredObject(service, context.koa.req)
    const dashboard = `${context.base}${dashboardPath}`
    await service.useCases.signIn.forgotten(visitOf(context), body, dashboard)
    return jsonReply(endpoint, { msg: 'accepted' })
  }),

  bindVisitor(signInEndpoints.beginProviderSignIn, async ({ useCases }, context) => {
    const { query, req } = context.koa
    const { to } = query
    const begun = await useCases.signIn.provider.begin(visitOf(context), typeof to === 'string' ? to : '/')
    if (E.isLeft(begun)) return failedAtProvider(context, begun.left)
    const { address, ...known } = begun.right
    return redirect(address, beginCookies(req, context, known))
  }),

  bindVisitor(signInEndpoints.finishProviderSignIn, async ({ useCases }, context) => {
    const { req, query, url } = context.koa
    const state = typeof query['state'] === 'string' ? query['state'] : ''
    // The browser comes from the provider, so from another site.
    const answer = { state, secret: begunSecretIn(req, context, state) ?? '' }
    const ended = await useCases.signIn.provider.finish(visitOf(context), url, answer)
    if (E.isLeft(ended)) return failedAtProvider(context, ended.left, [endedCookie(context, state)])
    const { token, to } = ended.right
    return redirect(dashboardAt(context, `#${to}`), [
      cookieOf(context, 'session', token),
      endedCookie(context, state),
    ])
  }),

  bindVisitor(signInEndpoints.signOut, async ({ useCases }, context, { endpoint }) => {
    const token = sessionTokenOf(context.koa.req, context)
    const next = `${context.base}${dashboardPath}`
    const provider = token === null ? null : await useCases.signIn.signOut(token, next)
    return jsonReply(
      endpoint,
      { msg: 'signed out', provider_url: provider },
      { 'Set-Cookie': cookieOf(context, 'session', null) },
    )
  }),

  bindVisitor(signInEndpoints.readLink, async (service, context, { endpoint }, failWith) => {
    const body = await readDeclaredObject(service, context.koa.req)
    return jsonReply(endpoint, await service.useCases.signIn.readLink(visitOf(context), body, failWith))
  }),

  bindVisitor(signInEndpoints.useLink, async (service, context, routed, failWith) => {
    const body = await readDeclaredObject(service, context.koa.req)
    const dashboard = `${context.base}${dashboardPath}`
    const begun = await service.useCases.signIn.useLink(visitOf(context), body, dashboard, failWith)
    if (begun === null) return jsonReply(routed.endpoint, { signed_in: false, needs: 'code', uuid: null })
    const used = { signed_in: true, needs: null, uuid: begun.user }
    return jsonReply(routed.endpoint, used, { 'Set-Cookie': cookieOf(context, 'session', begun.token) })
  }),
]
