/** The publication of a draft at its time that was refused: what the draft says of it (docs/behaviour/drafts.md#time-of-publication). */
import type { AnyProblem } from '../fault.js'
import { listOf, record } from '../value/record.js'
import { dateTime, oneOf } from '../value/scalar.js'
import { text } from '../value/text.js'
import { stored } from '../resource/attribute.js'
import type { Shape } from '../resource/attribute-tables.js'
import { shown, textSchema, uriSchema, uuidSchema, nullable } from '../resource/shown-attribute.js'

/**
 * Why a draft was not published: the API user may not publish it any more; the object has changed in what the draft changes;
 * the draft has faults, such as a name that is taken by now; or anything else.
 */
const missedReasons = ['forbidden', 'conflict', 'invalid', 'refused'] as const

const attributes = {
  publish_at: stored(dateTime, 'When it should have been published.', { required: true }),
  reason: stored(
    oneOf(missedReasons),
    'Why it was not: `forbidden` (the API user that has set the time may not publish it any more), `conflict` (the object has changed in what the draft changes too), `invalid` (the draft has faults, such as a name that is taken by now) or `refused` (anything else, which the log names).',
    { required: true },
  ),
  attributes: stored(listOf(text({ max: 1000 }), 1000), 'The attributes and parts that are concerned.', {
    required: true,
    initial: [],
  }),
} as const

/** A missed publication, as a draft has it. */
export const missedPublication = record(attributes)

/** Why a publication is missed, and the attributes that are concerned. */
type Miss = { readonly reason: (typeof missedReasons)[number]; readonly attributes: readonly string[] }

/** Why a publication that ends in a problem is missed. */
export const missedBecause = (problem: AnyProblem): Miss => {
  switch (problem._tag) {
    case 'Forbidden':
      return { reason: 'forbidden', attributes: [] }
    case 'DraftConflict':
      return { reason: 'conflict', attributes: problem.attributes }
    case 'BadParameters':
      return { reason: 'invalid', attributes: problem.faults.map(({ path }) => path) }
    default:
      return { reason: 'refused', attributes: [] }
  }
}

/** The most missed publications of an instance that are listed. */
export const mostMissedListed = 100

/** A missed publication with its object, as it is listed. */
export const listedMissShape: Shape = {
  attributes: {
    type: shown('type', textSchema, 'The collection of the object.'),
    uuid: shown('uuid', uuidSchema, 'UUID of the object.'),
    url: shown('url', uriSchema, 'API URL of the object.'),
    title: shown('title', textSchema, 'Name of the object; null if it has none.', nullable),
    ...Object.fromEntries(
      Object.entries(attributes).map(([name, { type, description }]) => [
        name,
        shown(name, type.outputSchema ?? type.schema, description),
      ]),
    ),
  },
}
