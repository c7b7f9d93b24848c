/** What becomes of a removal (docs/behaviour/writing.md#in-use). */
import { E, type Either } from '../fp.js'
import type { JsonObject } from '../json.js'
import type { Problem } from '../problem.js'
import type { NaiveDateTime } from '../time/naive-date-time.js'
import { withComputed } from './draft-write.js'
import type { DeclaredResource } from './resource.js'

/** Why an object with this id is never removed, whether or not it exists; null if it can be. */
export const preventionOf = ({ preventsDeletion }: DeclaredResource, id: string): Problem | null => {
  const hint = preventsDeletion?.(id) ?? null
  return hint === null
    ? null
    : { _tag: 'MethodNotAllowed', allowed: ['GET', 'HEAD', 'PUT', 'PATCH', 'OPTIONS'], hint }
}

/** The object is removed, or a placeholder takes its place: the state to store, null if it is one already. */
export type Removal =
  { readonly how: 'removed' } | { readonly how: 'replaced'; readonly state: JsonObject | null }

/** What becomes of an object that is removed while something refers to it, by the name of that; null if nothing does. */
export const decideRemoval = (
  resource: DeclaredResource,
  state: JsonObject,
  referredToBy: string | null,
  now: NaiveDateTime,
): Either<Problem, Removal> => {
  const { placeholder } = resource
  if (referredToBy === null) return E.right({ how: 'removed' })
  if (placeholder === undefined) return E.left({ _tag: 'InUse', by: referredToBy })
  return E.right({
    how: 'replaced',
    state: placeholder.is(state) ? null : withComputed(resource, placeholder.of(state, now)),
  })
}
