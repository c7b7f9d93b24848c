/** Writes with defaults for everything but the input. */
import type { JsonObject } from '../json.js'
import type { Draft, WriteMode } from '../resource/draft-attributes.js'
import { changeOf, completeWrite, draftWrite, type WriteCommand } from '../resource/draft-write.js'
import type { Resource } from '../resource/resource.js'
import { now, objectId, valueContext, withAddon } from './circumstances.js'

type Circumstances = Partial<Pick<WriteCommand, 'now' | 'settings' | 'context' | 'id'>>

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
  context: valueContext,
  ...circumstances,
})

/** The draft of a write with its faults, and the state that the service stores where there are none. */
export const write = (
  resource: Resource,
  sent: WriteCommand,
): { readonly draft: Draft; readonly state: JsonObject } => {
  const draft = draftWrite(resource, sent)
  return { draft, state: completeWrite(resource, draft.state, changeOf(sent, draft.supplied)) }
}

/** The state that a PUT of a new object stores; throws if the input has faults. */
export const storedState = (resource: Resource, input: JsonObject): JsonObject => {
  const { draft, state } = write(resource, command('put', input))
  if (draft.faults.length > 0) throw new Error(`the input has faults: ${JSON.stringify(draft.faults)}`)
  return state
}
