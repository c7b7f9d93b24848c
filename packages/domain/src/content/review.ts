/**
 * The review of a draft: a contributor asks for it, an editor answers, and publication ends it
 * (docs/behaviour/review.md).
 */
import { fault, type Fault } from '../fault.js'
import { stored, type StateOf } from '../resource/attribute.js'
import { filterFrom, uuidsFilter, wordsFilter } from '../resource/collection-filter.js'
import type { Change } from '../resource/resource.js'
import { mayActAs, permissions, unrestricted, type Role } from '../role/permissions.js'
import { dateTime, oneOf } from '../value/scalar.js'
import { apiUser, text } from '../value/text.js'

/** The least role that asks for a review, may be assigned one, and reads it. */
const participant: Role = permissions.people.read

const answers = ['changes_requested', 'approved'] as const

const reviewStates = ['requested', ...answers] as const

/** What clients set. A PUT without it leaves it as it is, so clients that do not know it do not end a review. */
const sent = { visibleTo: participant, retained: true, undrafted: true } as const

const set = { visibleTo: participant, readOnly: true } as const

export const reviewAttributes = {
  review: stored(
    oneOf(reviewStates),
    'Where the review of a draft is: a contributor sets `requested` or null, an editor each. Null once it is published.',
    sent,
  ),
  review_note: stored(text({ max: 2000 }), 'Note to who reviews, or to who wrote it.', sent),
  review_assignee: stored(
    apiUser,
    'API user who is to act next: one with the role contributor or a stronger one.',
    {
      ...sent,
      userWith: participant,
    },
  ),
  review_by: stored(apiUser, 'API user that changed the review last.', set),
  review_at: stored(dateTime, 'When the review was last changed.', set),
} as const

export const reviewFilters = {
  review: filterFrom(
    participant,
    wordsFilter(
      'review',
      'Only with these reviews',
      Object.fromEntries(reviewStates.map((word) => [word, [word]])),
    ),
  ),
  review_assignee: filterFrom(
    participant,
    uuidsFilter('review_assignee', 'Only with reviews that are assigned to these API users'),
  ),
} as const

const details = ['review_note', 'review_assignee'] as const

type Reviewed = StateOf<typeof reviewAttributes> & { readonly state: 'draft' | 'published' | null }

type Reviewing = Pick<Change<Reviewed>, 'previous' | 'role'>

const isAnswer = (review: Reviewed['review']): boolean => answers.some((answer) => answer === review)

const differs = (
  state: Reviewed,
  previous: Reviewed | null,
  name: 'review' | (typeof details)[number],
): boolean => state[name] !== (previous?.[name] ?? null)

/** Why a change of the review is not accepted. What is published in the same write has no review, whatever is sent. */
export const reviewFaults = (state: Reviewed, { previous, role }: Reviewing): readonly Fault[] => {
  const { review, review_note: note, review_assignee: assignee } = state
  if (review === null && note === null && assignee === null) return []
  const changed = details.filter((name) => differs(state, previous, name))
  const added = changed.filter((name) => state[name] !== null)
  if (state.state === 'published') {
    const isSet = (review !== null && differs(state, previous, 'review')) || added.length > 0
    return previous?.state === 'published' && isSet
      ? [fault('review', 'rule', 'must be null for what is published: a review is of a draft')]
      : []
  }
  if (review === null)
    return added.map((name) => fault(name, 'rule', 'needs a review: send review with it, such as requested'))
  if (mayActAs(role, unrestricted) || !isAnswer(review)) return []
  return differs(state, previous, 'review')
    ? [fault('review', 'rule', `must be requested or null: an ${unrestricted} answers a review`)]
    : changed.map((name) =>
        fault(name, 'rule', `is part of the answer of an ${unrestricted}; send review requested with it`),
      )
}

const none = {
  review: null,
  review_note: null,
  review_assignee: null,
  review_by: null,
  review_at: null,
} as const

/** The state with who changed its review and when; without all of it if it has none, or is published. */
export const completedReview = <S extends Reviewed>(
  state: S,
  { previous, now, user }: Pick<Change<Reviewed>, 'previous' | 'now' | 'user'>,
): S => {
  if (state.review === null || state.state === 'published')
    return state.review_at === null && state.review === null ? state : { ...state, ...none }
  const isChanged = (['review', ...details] as const).some((name) => differs(state, previous, name))
  return isChanged ? { ...state, review_by: user, review_at: now } : state
}
