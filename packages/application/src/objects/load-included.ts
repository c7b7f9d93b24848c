/** The objects that `include` names (docs/behaviour/collections.md#include). */
import {
  badParameters,
  E,
  includedReferences,
  includeLimits,
  isAliveIn,
  jsonBytes,
  readPlan,
  resourceOf,
  tooManyIncluded,
  type Either,
  type IncludedReference,
  type IncludePath,
  type JsonObject,
  type Resource,
  type Shape,
  type ViewContext,
} from '@publishing-service/domain'
import { SessionView } from '../caller.js'
import type { Failure, Outcome } from '../failure.js'
import type { Session } from '../session.js'
import { skipIfDamaged } from './damaged-object.js'
import { loadReferences, lookupsOfReferences } from './load-references.js'

/** An object to include, and the paths that continue from it. */
type Target = {
  readonly resource: Resource
  readonly id: string
  readonly state: JsonObject
  readonly paths: readonly IncludePath[]
}

/** Objects to include, by UUID. */
export type Targets = ReadonlyMap<string, Target>

export const noTargets: Targets = new Map()

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
): Either<Failure, Targets> => {
  const isAlive = isAliveIn(find)
  const all = new Map(targets)
  for (const { reference, further } of references) {
    const { collection, id } = reference
    const resource = resourceOf(collection)
    const state = find(collection, id)
    if (resource === undefined || state === undefined || !isAlive(reference)) continue
    const { paths = [] } = all.get(id) ?? {}
    all.set(id, { resource, id, state, paths: further === null ? paths : [...paths, further] })
  }
  return all.size > includeLimits.objects ? E.left(badParameters(tooManyIncluded)) : E.right(all)
}

/**
 * The views of the targets and of the objects that their paths continue to, by UUID. Needs one query for each collection
 * that the targets refer to, and again for the continued paths.
 */
export const loadIncluded =
  (session: Session, targets: Targets): Outcome<JsonObject> =>
  async () => {
    const included: Record<string, JsonObject> = {}
    let bytes = 0
    for (let level = targets; level.size > 0;) {
      const current = [...level.values()]
      const attempt = <A>({ resource, id }: Target, use: () => A): A | null =>
        skipIfDamaged(session, resource.collection, id, use)
      const references = current.flatMap(
        (each) => attempt(each, () => referencesAt(session, each.resource, each.state, each.paths)) ?? [],
      )
      const lookups = current.flatMap(
        (each) => attempt(each, () => readPlan(each.resource, session, 'summary').lookups(each.state)) ?? [],
      )
      const named = lookupsOfReferences(references.map(({ reference }) => reference))
      const find = await loadReferences(session, [...lookups, ...named])()
      if (E.isLeft(find)) return find
      for (const each of current) {
        const { resource, id, state } = each
        const view = attempt(each, () =>
          readPlan(resource, session, 'summary').object(
            state,
            new SessionView(session, id, { find: find.right }),
          ),
        )
        if (view !== null) included[id] = view
        bytes += view === null ? 0 : jsonBytes(view)
      }
      const next = withFound(noTargets, references, find.right)
      if (E.isLeft(next)) return next
      level = new Map([...next.right].filter(([id]) => !Object.hasOwn(included, id)))
      if (Object.keys(included).length + level.size > includeLimits.objects || bytes > includeLimits.bytes)
        return E.left(badParameters(tooManyIncluded))
    }
    return E.right(included)
  }

/** The objects that states of a shape refer to by the paths. Needs one query for each collection at their start. */
export const includedBy =
  (
    session: Session,
    shape: Shape,
    states: readonly JsonObject[],
    paths: readonly IncludePath[],
  ): Outcome<JsonObject> =>
  async () => {
    const references = states.flatMap((state) => referencesAt(session, shape, state, paths))
    const lookups = lookupsOfReferences(references.map(({ reference }) => reference))
    const find = await loadReferences(session, lookups)()
    if (E.isLeft(find)) return find
    const targets = withFound(noTargets, references, find.right)
    return E.isLeft(targets) ? targets : loadIncluded(session, targets.right)()
  }
