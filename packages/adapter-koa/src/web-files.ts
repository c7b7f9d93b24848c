/** The files that pages consist of: those of the documentation, and the dashboard. */
import Router from '@koa/router'
import { notFound } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import type { AnyFailure } from '@publishing-service/application'
import { cacheControl, dashboardPath } from '@publishing-service/http-contract'
import { createDashboard, type DashboardOptions } from './dashboard.js'
import type { Documentation } from './documentation.js'
import type { ReadyResponse } from './ready-response.js'
import type { Reply } from './handler.js'

const methods = ['GET', 'HEAD', 'OPTIONS']

const fileReply = (method: string, file: ReadyResponse | null): E.Either<AnyFailure, Reply> => {
  if (file === null) return E.left(notFound)
  if (!methods.includes(method)) return E.left({ _tag: 'MethodNotAllowed', allowed: methods })
  return E.right(method === 'OPTIONS' ? { _tag: 'Allowed', methods } : { _tag: 'Ready', response: file })
}

/** The state of a Koa context. The routes leave there what they have found. */
export type WebFileState = { webFile?: E.Either<AnyFailure, Reply> }

/** The routes of the files. They send nothing. */
export const webFileRoutes = (
  documentation: Documentation,
  options: DashboardOptions,
): Router<WebFileState> => {
  const dashboard = createDashboard(options)
  const router = new Router<WebFileState>()
  router.all('/docs/assets/:version/:name', async ({ method, params, state }) => {
    const { version = '', name = '' } = params
    state.webFile = fileReply(method, await documentation.asset(version, name))
  })
  router.all(`${dashboardPath}/assets/:name`, async ({ method, params: { name = '' }, state }) => {
    state.webFile = fileReply(method, await dashboard.asset(name))
  })
  // The addresses in the page are relative to `/dashboard/`, so that it works behind a proxy that adds a path prefix.
  router.all(`${dashboardPath}{/}`, async ({ method, path, state }) => {
    state.webFile =
      path === dashboardPath
        ? E.right({ _tag: 'Redirect', location: 'dashboard/', control: cacheControl.documentation })
        : fileReply(method, await dashboard.page())
  })
  return router
}
