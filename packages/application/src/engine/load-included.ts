/** The objects that `include` names (docs/behaviour/collections.md#include). */
import { badParameters, resourceOf, type Resource, type ViewContext } from '@publishing-service/domain'
import { jsonBytes, type JsonObject } from '@publishing-service/domain/json'
import type { Shape } from '@publishing-service/domain/declare'
import {
  includedReferences,
  includeLimits,
  tooManyIncluded,
  type IncludedReference,
  type IncludePath,
} from '@publishing-service/domain/lists'
import { isAliveIn, readPlan, type ReadPlan, type Selection } from '@publishing-service/domain/engine'
import { fail } from '../attempt.js'
import { SessionView, type Session } from '../session.js'
import { loadReferences, lookupsOfReferences } from './load-related.js'

/** An object to include, and the paths that continue from it. */
type Target = {
  readonly resource: Resource
  readonly id: string
  readonly state: JsonObject
  readonly paths: readonly IncludePath[]
  /** What is read of it; null if paths only lead on from it. */
  readonly selection: Selection | null
}

/** Objects to include, by UUID. */
export type Targets = ReadonlyMap<string, Target>

export const noTargets: Targets = new Map()

/** Whether what is read includes another selection. */
const covers = (read: Selection, other: Selection): boolean =>
  read === 'summary' ||
  (Array.isArray(read) && Array.isArray(other) && other.every((name) => read.includes(name)))

const bothOf = (one: Selection | null, other: Selection | null): Selection | null => {
  if (one === null || other === null) return one ?? other
  return Array.isArray(one) && Array.isArray(other) ? [...new Set([...one, ...other])] : 'summary'
}

/** The references at the start of the paths of an object. */
export const referencesAt = (
  session: Session,
  shape: Shape,
  state: JsonObject,
  paths: readonly IncludePath[],
): readonly IncludedReference[] =>
  paths.length === 0 ? [] : includedReferences(shape, state, session, paths)

/** The targets together with those of references that were found. */
export const withFound = (
  targets: Targets,
  references: readonly IncludedReference[],
  find: ViewContext['find'],
): Targets => {
  const isAlive = isAliveIn(find)
  const all = new Map(targets)
  for (const { reference, further, selection } of references) {
    const { collection, id } = reference
    const resource = resourceOf(collection)
    const state = find(collection, id)
    if (resource === undefined || state === undefined || !isAlive(reference)) continue
    const { paths = [], selection: before = null } = all.get(id) ?? {}
    all.set(id, {
      resource,
      id,
      state,
      paths: further === null ? paths : [...paths, further],
      selection: bothOf(before, selection),
    })
  }
  if (all.size > includeLimits.objects) fail(badParameters(tooManyIncluded))
  return all
}

/**
 * The views of the targets and of the objects that their paths continue to, by UUID. Needs one query, and again
 * for the continued paths.
 */
export const loadIncluded = async (session: Session, targets: Targets): Promise<JsonObject> => {
  const included: Record<string, JsonObject> = {}
  const read = new Map<string, Selection>()
  let bytes = 0
  for (let level = targets; level.size > 0;) {
    const current = [...level.values()]
    const planOf = ({ resource, selection }: Target): ReadPlan =>
      readPlan(resource, session, selection ?? 'summary')
    const unlessDamaged = <A>({ resource, id }: Target, use: () => A): A | null =>
      session.documents.unlessDamaged(resource.collection, id, use)
    const references = current.flatMap(
      (each) => unlessDamaged(each, () => referencesAt(session, each.resource, each.state, each.paths)) ?? [],
    )
    const lookups = current.flatMap(
      (each) => unlessDamaged(each, () => planOf(each).lookups(each.state)) ?? [],
    )
    const named = lookupsOfReferences(references.map(({ reference }) => reference))
    const find = await loadReferences(session, [...lookups, ...named])
    for (const each of current) {
      const { id, state, selection } = each
      const view = unlessDamaged(each, () =>
        planOf(each).object(state, new SessionView(session, id, { find })),
      )
      read.set(id, selection ?? 'summary')
      if (view !== null) included[id] = view
      bytes += view === null ? 0 : jsonBytes(view)
    }
    const next = new Map<string, Target>()
    for (const [id, target] of withFound(noTargets, references, find)) {
      const before = read.get(id)
      const selection = bothOf(before ?? null, target.selection) ?? 'summary'
      if (before === undefined || !covers(before, selection)) next.set(id, { ...target, selection })
    }
    level = next
    if (read.size + level.size > includeLimits.objects || bytes > includeLimits.bytes)
      fail(badParameters(tooManyIncluded))
  }
  return included
}

/** The objects that states of a shape refer to by the paths. Needs one query for those at their start. */
export const includedBy = async (
  session: Session,
  shape: Shape,
  states: readonly JsonObject[],
  paths: readonly IncludePath[],
): Promise<JsonObject> => {
  const references = states.flatMap((state) => referencesAt(session, shape, state, paths))
  const lookups = lookupsOfReferences(references.map(({ reference }) => reference))
  const find = await loadReferences(session, lookups)
  return loadIncluded(session, withFound(noTargets, references, find))
}
