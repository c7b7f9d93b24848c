/** Previews of objects with their drafts (docs/behaviour/drafts.md#previews). */
import { badParameters, forbidden, type Resource } from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import { previewAddress, previewRequest, tokenSeconds } from '@publishing-service/access'
import { operations } from '@publishing-service/domain/roles'
import { partOf, draftAttributes } from '@publishing-service/domain/engine'
import { pathLookups, publicPath } from '@publishing-service/domain/paths'
import type { Document } from '@publishing-service/ports'
import { fail } from '../attempt.js'
import { valueContextOf } from '../caller.js'
import { loadReferences } from '../engine/load-related.js'
import { requireUnchanged } from '../history/versions.js'
import type { WriteOperation } from '../operation.js'
import type { Session } from '../session.js'
import { findDraft, stateWithDraft } from './stored-drafts.js'

/** The public path of an object with its draft; empty if it has none. */
const pathOf = async (session: Session, resource: Resource, object: Document): Promise<string> => {
  const { path: rule } = resource
  if (rule === undefined) return ''
  const { documents } = session
  const draft = (await findDraft(documents, resource, object))?.draft ?? null
  const state = draft === null ? object.value : stateWithDraft(documents, resource, object, draft)
  return publicPath(rule, state, await loadReferences(session, pathLookups(rule, state)))
}

const secondsIn = (session: Session, input: JsonObject): number => {
  const sent = { mode: 'put', input, previous: null, context: valueContextOf(session) } as const
  const { state, faults } = draftAttributes(previewRequest, sent)
  if (faults.length > 0) fail(badParameters(faults))
  return partOf(previewRequest.attributes, state).expires_in ?? tokenSeconds
}

/** Makes a token that shows an object with its draft, and nothing else that the public does not see. */
export const createPreview = (
  resource: Resource,
): WriteOperation<{ readonly id: string; readonly body: JsonObject }, JsonObject> => ({
  ...operations.createPreview(resource.collection),
  changed: ({ id }) => ({ object: id }),
  run: async (session, { id, body }) => {
    const { instance, key, user, previewTokens, settings } = session
    const object = await requireUnchanged(session, resource, id)
    const seconds = secondsIn(session, body)
    // Nobody may edit without a token.
    if (key === null || user === null) fail(forbidden)
    const { collection } = resource
    const previewed = { instance: instance.number, collection, object: id, position: object.position }
    const { token, expires } = await previewTokens.create(previewed, { user, key }, seconds)
    const { preview_url: template } = settings
    const url =
      template === null ? null : previewAddress(template, await pathOf(session, resource, object), token)
    return { token, expires, url }
  },
})

/** Ends all previews of an object. */
export const removePreviews = (resource: Resource): WriteOperation<{ readonly id: string }, void> => ({
  ...operations.removePreviews(resource.collection),
  changed: ({ id }) => ({ object: id }),
  run: async (session, { id }) => {
    const { instance, previewTokens } = session
    await requireUnchanged(session, resource, id)
    await previewTokens.remove({ instance: instance.number, collection: resource.collection, object: id })
  },
})
