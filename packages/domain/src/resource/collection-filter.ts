import { fault, type Fault } from '../fault.js'
import { E, type Either } from '../fp.js'
import type { JsonObject } from '../json.js'
import type { Schema } from '../value/schema.js'
import type { Filter } from './filter.js'
import type { Viewer } from './view-context.js'

/** Query parameters; a list for one that is sent repeatedly. */
export type Parameters = Readonly<Record<string, string | readonly string[] | undefined>>

/** The value of a parameter that was sent, or its fault; the message of `parse` says what is accepted. */
export const readParameter = <A>(
  name: string,
  sent: NonNullable<Parameters[string]>,
  parse: (text: string) => Either<string, A>,
): Either<readonly Fault[], A> =>
  typeof sent === 'string'
    ? E.mapLeft((message: string) => [fault(name, 'parameter', message)])(parse(sent))
    : E.left([fault(name, 'repeated', 'must be sent only once')])

export type CollectionFilter<K extends string = string> = {
  readonly description: string
  readonly schema: Schema
  /** The keys that its conditions use. */
  readonly keys: readonly K[]
  /** Filters that it narrows; it is accepted only with one of them. */
  readonly narrows?: readonly string[]
  /** Converts the parameter to conditions, or returns what is accepted. The other parameters may narrow them. */
  readonly parse: (text: string, viewer: Viewer, parameters: Parameters) => Either<string, readonly Filter[]>
  /** A further condition on stored states, which stores cannot evaluate. The conditions of `parse` leave few that it rejects. */
  readonly refine?: (text: string) => (state: JsonObject) => boolean
}
