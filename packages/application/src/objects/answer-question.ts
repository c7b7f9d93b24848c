import { E, uniqueTextOf, type JsonObject, type Question, type Resource } from '@publishing-service/domain'
import type { PortFailure } from '@publishing-service/ports'
import type { Failure } from '../failure.js'
import type { Session } from '../session.js'
import { takenNames, type Placed } from '../paths/places.js'
import { newPlace } from '../paths/write-at-place.js'
import { forEachPage } from './for-each-page.js'
import { loadReferencedObjects } from './load-references.js'

type Answered<A> = Promise<E.Either<Failure, A>>

/** The unique texts among these that other objects of the collection have. */
const usedTexts = async (
  { documents }: Session,
  { resource, id }: Placed,
  key: string,
  states: readonly JsonObject[],
): Promise<E.Either<PortFailure, ReadonlySet<string | null>>> => {
  const used = new Set<string | null>()
  const where = [{ key, oneOf: states.map((state) => String(state[key])) }]
  const scan = { documents, collection: resource.collection, where, limit: 1000 }
  const read = await forEachPage(scan, (page) => {
    for (const other of page) if (other.id !== id) used.add(uniqueTextOf(resource, other.value))
  })()
  return E.isLeft(read) ? read : E.right(used)
}

/** The states whose unique attribute, or public path, another object has. */
const takenAmong = async (
  session: Session,
  object: Placed,
  previous: JsonObject | null,
  states: readonly JsonObject[],
): Answered<ReadonlySet<JsonObject>> => {
  const { resource } = object
  const [first = {}] = states
  const used = await usedTexts(session, object, resource.unique(first)?.attribute ?? 'urlname', states)
  if (E.isLeft(used)) return used
  const placed = states.flatMap((state) => {
    const place = newPlace(resource, previous, state)
    return place === null ? [] : [[state, place.name] as const]
  })
  const names = await takenNames(
    session,
    object,
    first,
    placed.map(([, name]) => name),
  )
  if (E.isLeft(names)) return names
  const taken = new Set(states.filter((state) => used.right.has(uniqueTextOf(resource, state))))
  for (const [state, name] of placed) if (names.right.has(name)) taken.add(state)
  return E.right(taken)
}

/** Answers what a decision on a write of an object asks. */
export const answerQuestion = async (
  session: Session,
  resource: Resource,
  id: string,
  previous: JsonObject | null,
  question: Question,
): Answered<void> => {
  switch (question.about) {
    case 'objects': {
      const found = await loadReferencedObjects(session, question.lookups)()
      return E.isLeft(found) ? found : E.right(question.answer(found.right))
    }
    case 'first': {
      const { where, order } = question
      const query = { where, order, skip: 0, limit: 1, detail: 'light' } as const
      const found = await session.documents.find(resource.collection, query)()
      return E.isLeft(found) ? found : E.right(question.answer(found.right.documents[0]?.value ?? null))
    }
    case 'taken': {
      const taken = await takenAmong(session, { resource, id }, previous, question.states)
      return E.isLeft(taken) ? taken : E.right(question.answer(taken.right))
    }
    case 'turn':
      return E.right(await session.clock.turn())
  }
}
