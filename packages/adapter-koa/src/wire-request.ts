import type { Context } from 'koa'
import {
  resourceOf as resourceNamed,
  type JsonObject,
  type MemberList,
  type Resource,
} from '@publishing-service/domain'
import type { Caller, Precondition } from '@publishing-service/application'
import type { Endpoint } from '@publishing-service/http-contract'

/** A request as handlers see it: routed, permitted, its body read. */
export type WireRequest = {
  readonly context: Context
  readonly endpoint: Endpoint
  /** The path's parameters; UUIDs in lower case. */
  readonly parameters: Readonly<Record<string, string>>
  /** The service's public address for this request. */
  readonly base: string
  /** The body where the endpoint takes an object; else empty. */
  readonly input: JsonObject
  readonly precondition?: Precondition
}

/** A request on an instance, by somebody who may make it. */
export type InstanceRequest = WireRequest & { readonly caller: Caller }

/** The resource of one of its operations. */
export const resourceOf = ({ endpoint }: WireRequest): Resource => {
  if (endpoint.resource === undefined) throw new Error(`${endpoint.operation} has no resource`)
  return endpoint.resource
}

/** The resource that an operation of several resources is permitted on. */
export const subjectOf = ({ endpoint: { operation, permission } }: WireRequest): Resource => {
  const resource = permission === null ? undefined : resourceNamed(permission.subject)
  if (resource === undefined) throw new Error(`${operation} has no resource`)
  return resource
}

/** The list that an operation on members is on. */
export const membersOf = ({ endpoint: { operation, members } }: WireRequest): MemberList => {
  if (members === undefined) throw new Error(`${operation} has no list of members`)
  return members
}

export const parameter = ({ parameters, endpoint }: WireRequest, name: string): string => {
  const value = parameters[name]
  if (value === undefined) throw new Error(`${endpoint.path} has no parameter ${name}`)
  return value
}

/** The value of a query parameter that may be given once; a repeated one reads as its values joined, and so fails. */
export const queryText = ({ context }: WireRequest, name: string): string | undefined => {
  const value = context.query[name]
  return Array.isArray(value) ? value.join('&') : value
}

export const preconditionIn = ({ precondition }: WireRequest): { readonly precondition?: Precondition } =>
  precondition === undefined ? {} : { precondition }
