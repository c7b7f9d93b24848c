/** The context of a request without a connection. */
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import Koa from 'koa'
import type { Role } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import { principalWith, type Identity } from '@publishing-service/application'
import { dataPolicy, protectiveHeaders } from '@publishing-service/http-contract'
import { instanceOf } from '../begin.js'
import { policyName, type RequestContext } from '../request-context.js'

export type TestRequest = {
  readonly method?: string
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly identity?: Identity
  readonly base?: string
}

/** A user who has the role on instance 1. */
export const identityAs = (role: Role): Identity =>
  E.right(
    principalWith(
      { id: role, user: role, key: role },
      { operator: false, roles: [{ instance: 1, roles: [role] }] },
    ),
  )

/** By default GET of an object as an editor. */
export const testContext = ({
  method = 'GET',
  url = '/1/content',
  headers = {},
  identity = identityAs('editor'),
  base = 'https://api.example.org',
}: TestRequest = {}): RequestContext => {
  const request = new IncomingMessage(new Socket())
  Object.assign(request, { method, url, headers })
  const koa = new Koa().createContext(request, new ServerResponse(request))
  return {
    koa,
    path: koa.path,
    instance: instanceOf(koa.path),
    began: 0,
    id: 'request',
    clientId: null,
    isStrict: false,
    address: '192.0.2.1',
    host: null,
    base,
    endpoint: 'none',
    scope: null,
    span: null,
    identity,
    signIn: null,
    headers: [...Object.entries(protectiveHeaders).flat(), policyName, dataPolicy],
    cacheLookup: null,
    cached: null,
    sentBytes: 0,
  }
}
