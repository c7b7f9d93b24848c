/** What the feed of changes and web hooks tell the public of each object, in one form. */
import { isJsonObject, type Json } from '@publishing-service/domain/json'
import type { Received } from '../harness/webhook-receiver.js'

/** What web hooks name as the feed of the public names it. */
const feedKind: Readonly<Record<string, string>> = {
  published: 'appeared',
  created: 'appeared',
  updated: 'updated',
  unpublished: 'removed',
  removed: 'removed',
  deleted: 'removed',
}

export const addEvent = (events: Map<string, string[]>, uuid: Json | undefined, kind: string): void => {
  const key = String(uuid ?? 'settings')
  events.set(key, [...(events.get(key) ?? []), feedKind[kind] ?? kind])
}

/** What was delivered of each object, each delivery once. */
export const deliveredOf = (received: readonly Received[]): ReadonlyMap<string, readonly string[]> => {
  const events = new Map<string, string[]>()
  const seen = new Set<string>()
  for (const { headers, body } of received) {
    const id = String(headers['webhook-id'])
    if (seen.has(id)) continue
    seen.add(id)
    const object = isJsonObject(body['object']) ? body['object'] : {}
    addEvent(events, object['uuid'], String(body['type']).split('.').at(-1) ?? '')
  }
  return events
}
