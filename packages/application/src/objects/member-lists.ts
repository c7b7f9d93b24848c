import {
  badParameters,
  draftFaults,
  draftItem,
  draftItems,
  E,
  memberCountFaults,
  membersOf,
  notFound,
  pipe,
  TE,
  withComputed,
  withMembers,
  type ItemsDraft,
  type JsonObject,
  type MemberList,
} from '@publishing-service/domain'
import type { DocumentStore } from '@publishing-service/ports'
import { valueContextOf, viewerOf, type Caller } from '../caller.js'
import type { Failure, Outcome } from '../failure.js'
import type { Deployment } from '../ports.js'
import { loadReferenced, loadReferences, lookupsOfReferences } from './load-references.js'
import { permits, type Precondition } from './precondition.js'
import { findVisible } from './read-object.js'
import { writableBy, type UpdateDocument } from './update-document.js'

/** A member that exists and that the caller may see. */
export type Member = { readonly id: string; readonly state: JsonObject }

const existing = (list: MemberList, caller: Caller): Outcome<void> =>
  list.exists(viewerOf(caller)) ? TE.right(undefined) : TE.left(notFound)

/** Members that are looked up with one query. */
const chunk = 200

/** The first members that are there and that the caller may see, in order; as many as are wanted, or more. */
const aliveMembers =
  (documents: DocumentStore) =>
  (
    list: MemberList,
    caller: Caller,
    state: JsonObject,
    wanted = Number.POSITIVE_INFINITY,
    detail: 'light' | 'full' = 'light',
  ): Outcome<readonly Member[]> =>
  async () => {
    const revealed = list.resource.reveal?.(state, viewerOf(caller)) ?? state
    const ids = membersOf(list, revealed)
    const alive: Member[] = []
    for (let start = 0; start < ids.length && alive.length < wanted; start += chunk) {
      const part = ids.slice(start, start + chunk)
      const references = part.map((id) => ({ path: '', collection: list.target, id }))
      const find = await loadReferences(documents)(caller, lookupsOfReferences(references), detail)()
      if (E.isLeft(find)) return find
      for (const id of part) {
        const member = find.right(list.target, id)
        if (member !== undefined) alive.push({ id, state: member })
      }
    }
    return E.right(alive)
  }

/** Members as items of their list. */
export const showMembers = (
  { item, target }: MemberList,
  { links }: Caller,
  members: readonly Member[],
): readonly JsonObject[] => members.map(({ id }) => ({ [item]: id, url: links.object(target, id) }))

/** The members of an object that the caller may see, in order: all, or so many of the first and maybe more. */
export const readMembers =
  (documents: DocumentStore) =>
  (
    list: MemberList,
    caller: Caller,
    id: string,
    wanted?: number,
    detail?: 'light' | 'full',
  ): Outcome<readonly Member[]> =>
    pipe(
      existing(list, caller),
      TE.chain(() => findVisible(documents)(list.resource, caller, id)),
      TE.chain(({ value }) => aliveMembers(documents)(list, caller, value, wanted, detail)),
    )

const createChangeMembers =
  (documents: DocumentStore, update: UpdateDocument) =>
  (
    list: MemberList,
    caller: Caller,
    id: string,
    precondition: Precondition | undefined,
    { items, references, faults }: ItemsDraft,
    next: (before: readonly string[], sent: readonly string[]) => readonly string[],
  ): Outcome<void> => {
    const sent = items.map((item) => String(item[list.item]))
    const permitted = (state: JsonObject): Outcome<void> =>
      precondition === undefined
        ? TE.right(undefined)
        : pipe(
            aliveMembers(documents)(list, caller, state),
            TE.chainEitherKW((members) =>
              permits(precondition, { items: showMembers(list, caller, members) }),
            ),
          )
    const change = (state: JsonObject): Outcome<JsonObject> =>
      pipe(
        permitted(state),
        TE.chain(() => loadReferenced(documents)(caller, lookupsOfReferences(references))),
        TE.chain((found): Outcome<readonly string[]> => {
          const all = draftFaults({ faults, references }, found)
          if (all.length > 0) return TE.left(badParameters(all))
          const members = next(membersOf(list, state), sent)
          if (memberCountFaults(list, members).length === 0) return TE.right(members)
          // Those that are gone take no room.
          return pipe(
            aliveMembers(documents)(list, caller, state),
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
            : E.right(withComputed(list.resource, withMembers(list, state, members)))
        }),
      )
    return pipe(
      existing(list, caller),
      TE.chain(() => update(writableBy(list.resource, caller), id, change)),
      TE.map(() => undefined),
    )
  }

/** Replaces the members: `{items: [{…}]}`. */
export const replaceMembers = (documents: DocumentStore, update: UpdateDocument, deployment: Deployment) => {
  const changeMembers = createChangeMembers(documents, update)
  return (
    list: MemberList,
    caller: Caller,
    id: string,
    input: JsonObject,
    precondition?: Precondition,
  ): Outcome<void> => {
    const context = valueContextOf(caller, deployment.streamingHosts)
    const draft = draftItems(list.shape, input, context, list.max)
    return changeMembers(list, caller, id, precondition, draft, (_before, sent) => sent)
  }
}

/** Adds a member behind the others; one that is there already stays where it is. */
export const addMember = (documents: DocumentStore, update: UpdateDocument, deployment: Deployment) => {
  const changeMembers = createChangeMembers(documents, update)
  return (
    list: MemberList,
    caller: Caller,
    id: string,
    input: JsonObject,
    precondition?: Precondition,
  ): Outcome<void> => {
    const draft = draftItem(list.shape, input, valueContextOf(caller, deployment.streamingHosts))
    return changeMembers(list, caller, id, precondition, draft, (before, sent) => [
      ...new Set([...before, ...sent]),
    ])
  }
}
