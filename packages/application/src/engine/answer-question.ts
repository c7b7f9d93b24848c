import type { Question, Resource } from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import { editingRoleOn } from '@publishing-service/access'
import { newPlace } from '@publishing-service/domain/engine'
import type { ObjectAddress, Session } from '../session.js'
import { changedBy } from './changed-by.js'
import { forEachPage } from './for-each-page.js'
import { loadReferencedObjects } from './load-related.js'

/** The unique texts among these that other objects of the collection have. */
const usedTexts = async (
  { documents }: Session,
  { resource, id }: ObjectAddress,
  key: string,
  states: readonly JsonObject[],
): Promise<ReadonlySet<string | null>> => {
  const used = new Set<string | null>()
  const where = [{ key, oneOf: states.map((state) => String(state[key])) }]
  const scan = { documents, collection: resource.collection, where, limit: 1000 }
  await forEachPage(scan, (page) => {
    for (const other of page) if (other.id !== id) used.add(resource.uniqueText(other.value))
  })
  return used
}

/** The states whose unique attribute, or public path, another object has. */
const takenAmong = async (
  session: Session,
  object: ObjectAddress,
  previous: JsonObject | null,
  states: readonly JsonObject[],
): Promise<ReadonlySet<JsonObject>> => {
  const { resource } = object
  const [first = {}] = states
  const used = await usedTexts(session, object, resource.unique?.(first)?.attribute ?? 'urlname', states)
  const placed = states.flatMap((state) => {
    const place = newPlace(resource, previous, state)
    return place === null ? [] : [[state, place.name] as const]
  })
  const names = await session.topics.takenNames(
    session,
    object,
    first,
    placed.map(([, name]) => name),
  )
  const taken = new Set(states.filter((state) => used.has(resource.uniqueText(state))))
  for (const [state, name] of placed) if (names.has(name)) taken.add(state)
  return taken
}

/** Answers what a decision on a write of an object asks. */
export const answerQuestion = async (
  session: Session,
  resource: Resource,
  id: string,
  previous: JsonObject | null,
  question: Question,
): Promise<void> => {
  switch (question.about) {
    case 'objects':
      return question.answer(await loadReferencedObjects(session, question.lookups))
    case 'first': {
      const { where, order } = question
      const query = { where, order, skip: 0, limit: 1, detail: 'light' } as const
      const { documents } = await session.documents.find(resource.collection, query)
      return question.answer(documents[0]?.value ?? null)
    }
    case 'taken':
      return question.answer(await takenAmong(session, { resource, id }, previous, question.states))
    case 'roles': {
      const users = await session.findUsers(question.users)
      const { number } = session.instance
      return question.answer(
        new Map(
          [...users].flatMap(([user, rights]) => {
            const role = editingRoleOn(rights, number)
            return role === null ? [] : [[user, role] as const]
          }),
        ),
      )
    }
    case 'changes':
      return question.answer(await changedBy(session, resource.collection, id, question.since))
  }
}
