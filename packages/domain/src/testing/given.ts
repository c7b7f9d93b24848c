/** One write, in the words given and when: what becomes of it is the result, which any library of assertions compares. */
import { E } from '../fp.js'
import type { JsonObject } from '../json.js'
import type { Problem } from '../problem.js'
import type { Effects } from '../resource/effects.js'
import type { WriteMode } from '../resource/draft-attributes.js'
import type { DeclaredResource } from '../resource/resource.js'
import type { Writer } from '../role/write-problem.js'
import { decided, stateAfter, whateverIsReferredTo, type Others } from './decided.js'
import { messages } from './messages.js'
import { command, type Circumstances } from './write-command.js'

/** What is sent. */
type Sent = { readonly mode: WriteMode; readonly input: JsonObject }

export const put = (input: JsonObject): Sent => ({ mode: 'put', input })
export const patch = (input: JsonObject): Sent => ({ mode: 'patch', input })

/** What becomes of a write. */
export type Result = {
  /** The state that is stored; null if none is. */
  readonly state: JsonObject | null
  /** What the write means; null if nothing is stored, or nothing changes. */
  readonly effects: Effects | null
  readonly problem: Problem | null
  /** The messages of all faults, by path. */
  readonly faults: Readonly<Record<string, string>>
}

type Given = Circumstances & {
  /** Who writes, and has written what is given; an admin by default. */
  readonly by?: Writer
  /** The other objects; by default every object that is referred to exists. */
  readonly others?: Others
}

/**
 * An object as a PUT of this input stores it, or none. `when` returns what becomes of a write of it. Throws an Error if the
 * input has faults.
 */
export const given = (
  resource: DeclaredResource,
  stored: JsonObject | null,
  { by = { role: 'admin', user: null }, others = {}, ...circumstances }: Given = {},
): { readonly when: (sent: Sent) => Result } => {
  const around: Others = { objects: whateverIsReferredTo, ...others }
  const who = { ...circumstances, user: by.user }
  const previous = stored === null ? null : stateAfter(resource, command('put', stored, null, who), around)
  return {
    when: ({ mode, input }) => {
      const { outcome } = decided(resource, command(mode, input, previous, who), around, by)
      if (E.isRight(outcome)) return { ...outcome.right, problem: null, faults: {} }
      const problem = outcome.left
      const faults = problem._tag === 'BadParameters' ? messages(problem.faults) : {}
      return { state: null, effects: null, problem, faults }
    },
  }
}
