import { badParameters, notFound } from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import { draftItem, type MemberList } from '@publishing-service/domain/declare'
import { operations } from '@publishing-service/domain/roles'
import {
  draftItems,
  memberCountFaults,
  membersOf,
  withMembers,
  type ItemsDraft,
} from '@publishing-service/domain/engine'
import { fail } from '../attempt.js'
import { valueContextOf } from '../caller.js'
import type { ReadOperation, WriteOperation } from '../operation.js'
import type { Session } from '../session.js'
import { changePart, checkDraft } from '../engine/change-part.js'
import { loadReferences, lookupsOfReferences } from '../engine/load-related.js'
import { findVisible } from '../engine/read-one.js'

/** A member that exists and that the caller may see. */
type Member = { readonly id: string; readonly state: JsonObject }

const checkListExists = (session: Session, list: MemberList): void => {
  if (!list.exists(session)) fail(notFound)
}

/** The number of members that are loaded with one query. */
const batchSize = 200

/** The first members that exist and that the caller may see, in order. May return more than `wanted`. */
const visibleMembers = async (
  session: Session,
  list: MemberList,
  state: JsonObject,
  wanted = Number.POSITIVE_INFINITY,
  detail: 'light' | 'full' = 'light',
): Promise<readonly Member[]> => {
  const revealed = list.resource.redact?.(state, session) ?? state
  const ids = membersOf(list, revealed)
  const alive: Member[] = []
  for (let start = 0; start < ids.length && alive.length < wanted; start += batchSize) {
    const batch = ids.slice(start, start + batchSize)
    const references = batch.map((id) => ({ path: '', collection: list.target, id }))
    const find = await loadReferences(session, lookupsOfReferences(references), detail)
    for (const id of batch) {
      const member = find(list.target, id)
      if (member !== undefined) alive.push({ id, state: member })
    }
  }
  return alive
}

/** Members as items of their list. */
const showMembers = (
  { links }: Session,
  { item, target }: MemberList,
  members: readonly Member[],
): readonly JsonObject[] => members.map(({ id }) => ({ [item]: id, url: links.object(target, id) }))

/** The members of an object that the caller may see, in order. May return more than `wanted`. */
export const loadMembers = async (
  session: Session,
  list: MemberList,
  id: string,
  wanted?: number,
  detail?: 'light' | 'full',
): Promise<readonly Member[]> => {
  checkListExists(session, list)
  const { value } = await findVisible(session, list.resource, id)
  return visibleMembers(session, list, value, wanted, detail)
}

/** The members of an object as items. */
export const readMembers = (
  list: MemberList,
): ReadOperation<{ readonly id: string }, readonly JsonObject[]> => ({
  ...operations.readMembers(list.resource.collection),
  run: async (session, { id }) => showMembers(session, list, await loadMembers(session, list, id)),
})

const changeMembers = (
  session: Session,
  list: MemberList,
  id: string,
  draft: ItemsDraft,
  next: (before: readonly string[], sent: readonly string[]) => readonly string[],
): Promise<void> => {
  checkListExists(session, list)
  const sent = draft.items.map((item) => String(item[list.item]))
  const membersAfter = async (state: JsonObject): Promise<readonly string[]> => {
    const members = next(membersOf(list, state), sent)
    if (memberCountFaults(list, members).length === 0) return members
    // Members that no longer exist do not count.
    const alive = await visibleMembers(session, list, state)
    return next(
      alive.map((member) => member.id),
      sent,
    )
  }
  return changePart(session, list.resource, id, {
    show: async (state) => ({
      items: showMembers(session, list, await visibleMembers(session, list, state)),
    }),
    change: async (state) => {
      await checkDraft(session, draft)
      const members = await membersAfter(state)
      const tooMany = memberCountFaults(list, members)
      if (tooMany.length > 0) fail(badParameters(tooMany))
      return withMembers(list, state, members)
    },
  })
}

type Change = { readonly id: string; readonly body: JsonObject }

/** Replaces the members: `{items: [{…}]}`. */
export const replaceMembers = (list: MemberList): WriteOperation<Change, void> => ({
  ...operations.replaceMembers(list.resource.collection),
  changed: ({ id }) => ({ object: id }),
  run: async (session, { id, body }) => {
    const context = valueContextOf(session)
    const draft = draftItems(list.shape, body, context, list.max)
    return changeMembers(session, list, id, draft, (_before, sent) => sent)
  },
})

/** Appends a member, unless the list has it already. */
export const addMember = (list: MemberList): WriteOperation<Change, void> => ({
  ...operations.addMember(list.resource.collection),
  changed: ({ id }) => ({ object: id }),
  run: async (session, { id, body }) => {
    const draft = draftItem(list.shape, body, valueContextOf(session))
    return changeMembers(session, list, id, draft, (before, sent) => [...new Set([...before, ...sent])])
  },
})
