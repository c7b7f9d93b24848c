import {
  badParameters,
  draftItem,
  draftItems,
  E,
  memberCountFaults,
  membersOf,
  notFound,
  operations,
  pipe,
  TE,
  withMembers,
  type ItemsDraft,
  type JsonObject,
  type MemberList,
} from '@publishing-service/domain'
import { valueContextOf } from '../caller.js'
import type { Failure, Outcome } from '../failure.js'
import type { ReadOperation, WriteOperation } from '../operation.js'
import type { Session } from '../session.js'
import { changePart, checkDraft } from './change-part.js'
import { loadReferences, lookupsOfReferences } from './load-references.js'
import { findVisible } from './read-object.js'

/** A member that exists and that the caller may see. */
type Member = { readonly id: string; readonly state: JsonObject }

const checkListExists = (session: Session, list: MemberList): Outcome<void> =>
  list.exists(session) ? TE.right(undefined) : TE.left(notFound)

/** The number of members that are loaded with one query. */
const batchSize = 200

/** The first members that exist and that the caller may see, in order. May return more than `wanted`. */
const visibleMembers =
  (
    session: Session,
    list: MemberList,
    state: JsonObject,
    wanted = Number.POSITIVE_INFINITY,
    detail: 'light' | 'full' = 'light',
  ): Outcome<readonly Member[]> =>
  async () => {
    const revealed = list.resource.redact?.(state, session) ?? state
    const ids = membersOf(list, revealed)
    const alive: Member[] = []
    for (let start = 0; start < ids.length && alive.length < wanted; start += batchSize) {
      const batch = ids.slice(start, start + batchSize)
      const references = batch.map((id) => ({ path: '', collection: list.target, id }))
      const find = await loadReferences(session, lookupsOfReferences(references), detail)()
      if (E.isLeft(find)) return find
      for (const id of batch) {
        const member = find.right(list.target, id)
        if (member !== undefined) alive.push({ id, state: member })
      }
    }
    return E.right(alive)
  }

/** Members as items of their list. */
const showMembers = (
  { links }: Session,
  { item, target }: MemberList,
  members: readonly Member[],
): readonly JsonObject[] => members.map(({ id }) => ({ [item]: id, url: links.object(target, id) }))

/** The members of an object that the caller may see, in order. May return more than `wanted`. */
export const loadMembers = (
  session: Session,
  list: MemberList,
  id: string,
  wanted?: number,
  detail?: 'light' | 'full',
): Outcome<readonly Member[]> =>
  pipe(
    checkListExists(session, list),
    TE.chain(() => findVisible(session, list.resource, id)),
    TE.chain(({ value }) => visibleMembers(session, list, value, wanted, detail)),
  )

/** The members of an object as items. */
export const readMembers = (
  list: MemberList,
): ReadOperation<{ readonly id: string }, readonly JsonObject[]> => ({
  ...operations.readMembers(list.resource.collection),
  run: (session, { id }) =>
    pipe(
      loadMembers(session, list, id),
      TE.map((members) => showMembers(session, list, members)),
    ),
})

const changeMembers = (
  session: Session,
  list: MemberList,
  id: string,
  draft: ItemsDraft,
  next: (before: readonly string[], sent: readonly string[]) => readonly string[],
): Outcome<void> => {
  const sent = draft.items.map((item) => String(item[list.item]))
  const show = (state: JsonObject): Outcome<JsonObject> =>
    pipe(
      visibleMembers(session, list, state),
      TE.map((members) => ({ items: showMembers(session, list, members) })),
    )
  const change = (state: JsonObject): Outcome<JsonObject> =>
    pipe(
      checkDraft(session, draft),
      TE.chain((): Outcome<readonly string[]> => {
        const members = next(membersOf(list, state), sent)
        if (memberCountFaults(list, members).length === 0) return TE.right(members)
        // Members that no longer exist do not count.
        return pipe(
          visibleMembers(session, list, state),
          TE.map((alive) =>
            next(
              alive.map((member) => member.id),
              sent,
            ),
          ),
        )
      }),
      TE.chainEitherKW((members) => {
        const tooMany = memberCountFaults(list, members)
        return tooMany.length > 0
          ? E.left<Failure>(badParameters(tooMany))
          : E.right(withMembers(list, state, members))
      }),
    )
  return pipe(
    checkListExists(session, list),
    TE.chain(() => changePart(session, list.resource, id, { show, change })),
  )
}

type Change = { readonly id: string; readonly body: JsonObject }

/** Replaces the members: `{items: [{…}]}`. */
export const replaceMembers = (list: MemberList): WriteOperation<Change, void> => ({
  ...operations.replaceMembers(list.resource.collection),
  changed: ({ id }) => ({ object: id }),
  run: (session, { id, body }) => {
    const context = valueContextOf(session)
    const draft = draftItems(list.shape, body, context, list.max)
    return changeMembers(session, list, id, draft, (_before, sent) => sent)
  },
})

/** Appends a member, unless the list has it already. */
export const addMember = (list: MemberList): WriteOperation<Change, void> => ({
  ...operations.addMember(list.resource.collection),
  changed: ({ id }) => ({ object: id }),
  run: (session, { id, body }) => {
    const draft = draftItem(list.shape, body, valueContextOf(session))
    return changeMembers(session, list, id, draft, (before, sent) => [...new Set([...before, ...sent])])
  },
})
