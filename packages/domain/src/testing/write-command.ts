/** Writes with defaults for everything but the input. */
import type { JsonObject } from '../json.js'
import type { Draft, WriteMode } from '../resource/draft-attributes.js'
import { changeOf, completeWrite, draftWrite, type WriteCommand } from '../resource/draft-write.js'
import type { DeclaredResource } from '../resource/resource.js'
import { now, objectId, valueContext, withAddon } from './circumstances.js'
import { stateAfter, whateverIsReferredTo } from './decided.js'

/** What a command has besides what is sent, as far as it is no default. */
export type Circumstances = Partial<Pick<WriteCommand, 'now' | 'settings' | 'strict' | 'id' | 'user'>>

/** The command of one write; time, settings and the rest have defaults. */
export const command = (
  mode: WriteMode,
  input: JsonObject,
  previous: JsonObject | null = null,
  circumstances: Circumstances = {},
): WriteCommand => ({
  mode,
  id: objectId,
  input,
  previous,
  now,
  user: null,
  settings: withAddon,
  streamingHosts: valueContext.streamingHosts,
  strict: valueContext.strict,
  ...circumstances,
})

/** The draft of a write with its faults, and the state that follows from the command alone. */
export const write = (
  resource: DeclaredResource,
  sent: WriteCommand,
): { readonly draft: Draft; readonly state: JsonObject } => {
  const draft = draftWrite(resource, sent)
  return { draft, state: completeWrite(resource, draft.state, changeOf(sent, draft.supplied)) }
}

/** The state that a PUT of a new object stores, if every reference in it is right; throws if the input has other faults. */
export const storedState = (resource: DeclaredResource, input: JsonObject): JsonObject =>
  stateAfter(resource, command('put', input), { objects: whateverIsReferredTo })
