import {
  badParameters,
  content,
  draftFaults,
  draftStories,
  E,
  homepage,
  pipe,
  storiesOf,
  story,
  storyList,
  storyOf,
  TE,
  viewOf,
  type JsonObject,
  type StoredStories,
  type StoryList,
} from '@publishing-service/domain'
import type { Document, DocumentStore } from '@publishing-service/ports'
import { valueContextOf, viewerOf, viewBy, type Caller } from '../caller.js'
import type { Failure, Outcome } from '../failure.js'
import {
  loadReferenced,
  loadReferences,
  lookupsOfReferences,
  lookupsOfStates,
} from '../objects/load-references.js'
import { permits, type Precondition } from '../objects/precondition.js'
import { findVisible } from '../objects/read-object.js'
import { writableBy, type UpdateDocument } from '../objects/update-document.js'
import type { Deployment } from '../ports.js'

/** One list of stories of one homepage. */
export type StoriesAddress = { readonly homepageId: string; readonly list: StoryList }

/** The newest live content, or of it what carries a tag: from an index, whatever the number of objects. */
const newestLive =
  (documents: DocumentStore) =>
  (caller: Caller, tagId: string | null, limit: number): Outcome<readonly Document[]> =>
    pipe(
      documents.find(content.collection, caller.instance.number, {
        where: [
          ...(tagId === null ? [] : [{ key: 'tagged', has: tagId }]),
          ...(content.visibility?.({ ...viewerOf(caller), role: 'public_user' }) ?? []),
        ],
        order: [{ key: 'live_from', direction: 'desc' }],
        skip: 0,
        limit,
        detail: 'light',
      }),
      TE.map(({ documents: found }) => found),
    )

const newestFirst = (a: Document, b: Document): number => {
  const [left, right] = [String(a.value['live_from']), String(b.value['live_from'])]
  return left === right ? 0 : left < right ? 1 : -1
}

/** The stories of an automatic list: the newest live content that carries any of its tags (decisions §12). */
const chooseStories =
  (documents: DocumentStore) =>
  (caller: Caller, { auto_max, auto_tag_uuids }: StoredStories): Outcome<readonly JsonObject[]> =>
    auto_max === 0
      ? TE.right([])
      : pipe(
          auto_tag_uuids.length === 0
            ? TE.right<Failure, readonly (string | null)[]>([null])
            : pipe(
                documents.getMany('tags', caller.instance.number, auto_tag_uuids, 'light'),
                TE.map((tags) => tags.map(({ id }) => id)),
              ),
          TE.chain(TE.traverseArray((tagId) => newestLive(documents)(caller, tagId, auto_max))),
          TE.map((found) => {
            const each = new Map(found.flat().map((document) => [document.id, document]))
            const newest = [...each.values()].toSorted(newestFirst).slice(0, auto_max)
            return newest.map(({ id, value }) => storyOf(id, value))
          }),
        )

const showStories =
  (documents: DocumentStore) =>
  (caller: Caller, stories: StoredStories): Outcome<JsonObject> =>
    pipe(
      stories.auto ? chooseStories(documents)(caller, stories) : TE.right(stories.items),
      TE.chain((items) =>
        pipe(
          loadReferences(documents)(caller, [
            ...lookupsOfStates(story, items),
            ...lookupsOfStates(storyList, [stories]),
          ]),
          TE.map((find) => {
            const view = viewBy(caller, '', { find })
            return {
              ...viewOf(storyList, stories, view),
              items: items
                .map((item) => viewOf(story, item, view))
                .filter((item) => story.stands?.(item) ?? true),
            }
          }),
        ),
      ),
    )

/** A list of stories, with those that an automatic one chooses now. */
export const readStories =
  (documents: DocumentStore) =>
  (caller: Caller, { homepageId, list }: StoriesAddress): Outcome<JsonObject> =>
    pipe(
      findVisible(documents)(homepage, caller, homepageId),
      TE.chain(({ value }) => showStories(documents)(caller, storiesOf(value, list))),
    )

/** Replaces a list of stories. */
export const putStories = (documents: DocumentStore, update: UpdateDocument, deployment: Deployment) => {
  /** A homepage that has a name of its own is written when something is first put into it. */
  const ensure = (caller: Caller, homepageId: string): Outcome<void> =>
    pipe(
      documents.get(homepage.collection, caller.instance.number, homepageId),
      TE.chain((current): Outcome<void> => {
        const named = Object.values(homepage.words ?? {}).find(({ id }) => id === homepageId)
        if (current !== null || named === undefined) return TE.right(undefined)
        return pipe(
          documents.insert(homepage.collection, caller.instance.number, {
            id: homepageId,
            unique: null,
            value: named.initial,
          }),
          TE.map(() => undefined),
          TE.orElse((failure) =>
            failure._tag === 'PortFailure' ? TE.left<Failure>(failure) : TE.right(undefined),
          ),
        )
      }),
    )

  return (
    caller: Caller,
    { homepageId, list }: StoriesAddress,
    input: JsonObject,
    precondition?: Precondition,
  ): Outcome<void> => {
    const { stories, references, faults } = draftStories(
      input,
      valueContextOf(caller, deployment.streamingHosts),
    )
    const permitted = (state: JsonObject): Outcome<void> =>
      precondition === undefined
        ? TE.right(undefined)
        : pipe(
            showStories(documents)(caller, storiesOf(state, list)),
            TE.chainEitherKW((shown) => permits(precondition, shown)),
          )
    const change = (state: JsonObject): Outcome<JsonObject> =>
      pipe(
        permitted(state),
        TE.chain(() => loadReferenced(documents)(caller, lookupsOfReferences(references))),
        TE.chainEitherKW((found) => {
          const all = draftFaults({ faults, references }, found)
          return all.length > 0 ? E.left(badParameters(all)) : E.right({ ...state, [list]: stories })
        }),
      )
    return pipe(
      ensure(caller, homepageId),
      TE.chain(() => update(writableBy(homepage, caller), homepageId, change)),
      TE.map(() => undefined),
    )
  }
}
