import { fault, type Fault } from '../fault.js'
import { E, type Either } from '../fp.js'
import type { JsonObject } from '../json.js'
import { facebookUid } from '../locations/location-attributes.js'
import { computed, folded, derived, stored, type StateOf, type WholeOf } from '../resource/attribute.js'
import { type CollectionFilter, uuidsFilter } from '../resource/collection-filter.js'
import {
  sampleObjects,
  defineResource,
  type ResourceWith,
  type Change,
  type Placeholder,
} from '../resource/resource.js'
import { stamps, stampFilters } from '../resource/standard-attributes.js'
import { partOf } from '../resource/attribute-tables.js'
import type { ViewContext, Viewer } from '../resource/view-context.js'
import { byVariant } from '../value/value-type.js'
import { reference } from '../value/reference.js'
import { boolean, oneOf } from '../value/scalar.js'
import { emailAddresses } from '../value/address.js'
import { text, uuid } from '../value/text.js'
import { countedUnder, publishedText } from './comments-count.js'
import { depthOf, maxCommentDepth, maxTreePathLength, treePath } from './tree-path.js'

const commentText = text({ max: 10_000, min: 1 })

/** The text of a deleted comment. */
const noText = '—'

/** The collections of the objects that can be commented on, by `parent_type`. */
const parents = { content: 'content', comment: 'comments' } as const

type ParentPart = { readonly parent_type: 'content' | 'comment' | null; readonly parent_uuid: string | null }
type TitlePart = { readonly title: string | null; readonly edited_title: string | null }
/** What a comment stores of its content and of the comments above it; absent in comments of earlier releases. */
type HiddenPart = { readonly hidden_above?: boolean | null; readonly content_live_from?: string | null }
type StatePart = HiddenPart & {
  readonly state: 'draft' | 'published' | null
  readonly deleted: boolean | null
}

/** After every date. */
const never = '~'

/** When content goes live, as a text that sorts by time. */
const liveFromOf = ({ live_from }: JsonObject): string => (typeof live_from === 'string' ? live_from : never)

const isHiddenBelow = ({ state, hidden_above }: Pick<StatePart, 'state' | 'hidden_above'>): boolean =>
  state !== 'published' || hidden_above === true

const attributes = {
  parent_type: stored(oneOf(['content', 'comment']), 'What it is about; cannot be changed later.', {
    required: true,
    fixed: true,
  }),
  parent_uuid: stored(
    byVariant(uuid, { content: reference(parents.content), comment: reference(parents.comment) }),
    `Content object or comment that it is about; cannot be changed later. There are at most ${maxCommentDepth} levels of comments.`,
    { required: true, fixed: true, retained: true, nullableInViews: true },
  ),
  parent_url: derived(
    { type: 'string', format: 'uri' },
    'API URL of the content object or comment that it is about.',
    ({ parent_type: type, parent_uuid: id }: ParentPart, view) => {
      const collection = type === 'content' ? parents.content : parents.comment
      return typeof id === 'string' && view.find(collection, id) !== undefined
        ? view.links.object(collection, id)
        : null
    },
    { needs: ['parent_uuid'], nullable: true },
  ),
  content_uuid: stored(
    reference('content'),
    'Content object that it, or the comment that it replies to, is about.',
    {
      readOnly: true,
    },
  ),
  title: stored(text({ max: 255 }), 'Title; a public_user reads `edited_title` instead, if there is one.'),
  comment: stored(commentText, 'Plain text; a public_user reads `edited_comment` instead, if there is one.', {
    required: true,
  }),
  edited_title: stored(text({ max: 255 }), 'The title as edited by an editor.', { visibleTo: 'reader' }),
  edited_comment: stored(commentText, 'The comment as edited by an editor.', {
    visibleTo: 'reader',
  }),
  creator: stored(text({ max: 255 }), 'Name of the person who wrote it.'),
  email: stored(emailAddresses, 'E-mail address of that person.', { visibleTo: 'reader' }),
  fb_uid: stored(facebookUid, 'Facebook id of that person.', { visibleTo: 'reader' }),
  state: stored(oneOf(['draft', 'published']), 'A public_user reads published comments only.', {
    initial: 'draft',
  }),
  deleted: stored(
    boolean,
    `Whether it was deleted and is only a placeholder for its replies; its text is then \`${noText}\`.`,
    {
      readOnly: true,
      initial: false,
    },
  ),
  ...stamps,
  reply_to: stored(reference(parents.comment), 'Comment that it replies to.', { internal: true }),
  hidden_above: stored(boolean, 'Whether a comment above it is not published.', {
    internal: true,
    initial: false,
  }),
  content_live_from: stored(text({ max: 40 }), 'When its content goes live, as a text that sorts by time.', {
    internal: true,
  }),
  hidden_until: computed(
    'text',
    'Until when it is hidden with its content or with comments above it.',
    ['hidden_above', 'content_live_from'],
    ({ hidden_above, content_live_from }: HiddenPart) =>
      hidden_above === true ? never : (content_live_from ?? null),
  ),
  own_uuid: stored(uuid, 'Its UUID, for the order by UUID.', { internal: true }),
  tree: stored(text({ max: maxTreePathLength }), 'Position in the tree of comments.', { internal: true }),
  title_order: folded(
    'The sort key of the title that a public_user reads.',
    ['edited_title', 'title'],
    ({ edited_title, title }: TitlePart) => edited_title ?? title ?? '',
  ),
  [countedUnder]: computed(
    'texts',
    'Whether it is counted in the comments_count of its content.',
    ['state', 'deleted', 'hidden_above'],
    ({ state, deleted, hidden_above }: StatePart) =>
      state === 'published' && deleted !== true && hidden_above !== true ? [publishedText] : [],
  ),
} as const

export type Comment = WholeOf<typeof attributes>

/** A comment while it is written: required attributes may be null. */
type Draft = StateOf<typeof attributes>

const isPublic = ({ role }: Viewer): boolean => role === 'public_user'

/** What hides a comment that itself is published (docs/behaviour/comments-and-links.md#visible-comments). */
const follow = (state: Draft, find: ViewContext['find']): Draft => {
  const { content_uuid, reply_to } = state
  const content = content_uuid === null ? undefined : find(parents.content, content_uuid)
  const above = reply_to === null ? null : find(parents.comment, reply_to)
  return {
    ...state,
    content_live_from: content === undefined ? never : liveFromOf(content),
    hidden_above: above !== null && (above === undefined || isHiddenBelow(partOf(attributes, above))),
  }
}

/** What a new comment takes over from its content, or from the comment that it replies to. */
const derive = (
  state: Draft,
  { previous }: Change<Draft>,
  find: ViewContext['find'],
): Either<readonly Fault[], Draft> => {
  if (previous !== null || state.parent_uuid === null) return E.right(state)
  if (state.parent_type === 'content')
    return E.right(follow({ ...state, content_uuid: state.parent_uuid, tree: '' }, find))
  const parent = partOf(attributes, find(parents.comment, state.parent_uuid))
  if (parent.deleted === true)
    return E.left([fault('parent_uuid', 'reference', 'names a deleted comment, which accepts no replies')])
  const { tree, content_uuid, content_live_from } = parent
  return depthOf(tree ?? '') < maxCommentDepth
    ? E.right({
        ...state,
        content_uuid,
        reply_to: state.parent_uuid,
        tree,
        content_live_from,
        hidden_above: isHiddenBelow(parent),
      })
    : E.left([
        fault(
          'parent_uuid',
          'limit',
          `is at level ${maxCommentDepth}, the last one; reply to a comment above it`,
        ),
      ])
}

const stateFilter: CollectionFilter<'state'> = {
  description: 'State: `published` or `draft`. A public_user sees only `published`.',
  schema: { type: 'string', enum: ['published', 'draft'] },
  keys: ['state'],
  parse: (sent, viewer) => {
    if (sent !== 'published' && sent !== 'draft') return E.left('must be one of published, draft')
    return sent === 'draft' && isPublic(viewer)
      ? E.left('must be published: the role public_user reads no drafts')
      : E.right([{ key: 'state', equals: sent }])
  },
}

const clearedText = {
  title: null,
  comment: noText,
  edited_title: null,
  edited_comment: null,
  creator: null,
  email: null,
  fb_uid: null,
} as const satisfies Partial<Draft>

const textAttributes = [
  'title',
  'comment',
  'edited_title',
  'edited_comment',
  'creator',
  'email',
  'fb_uid',
] as const satisfies readonly (keyof typeof clearedText)[]

/** Text and author of a deleted comment cannot be set. */
const placeholderFaults = (state: Draft, { previous }: Change<Draft>): readonly Fault[] =>
  state.deleted === true
    ? textAttributes
        .filter((name) => state[name] !== (previous?.[name] ?? null))
        .map((name) =>
          fault(
            name,
            'fixed',
            'cannot be set: this comment was deleted and is only a placeholder for its replies',
          ),
        )
    : []

/** What replaces a deleted comment above its replies. */
const placeholder: Placeholder<Draft> = {
  of: (state, now) => ({ ...state, ...clearedText, deleted: true, modified: now }),
  is: ({ deleted }) => deleted === true,
}

const createdAt = ({ created }: Draft, { now }: Change<Draft>) => created ?? now

/** Comments on content, and replies to them. */
export const comment: ResourceWith<typeof attributes, 'comments', 'parent_type'> = defineResource({
  name: 'comment',
  collection: 'comments',
  description: 'Comments are what readers say about content and reply to each other.',
  examples: {
    id: '4a1f0c52-8d3e-4b76-9f20-6e5d7c8b9a01',
    bodies: [
      {
        parent_type: 'content',
        parent_uuid: sampleObjects.story,
        title: 'The commander',
        comment: 'who took it??',
        creator: 'Mira',
        email: 'mira@example.org',
      },
    ],
    change: { edited_comment: 'Who took it?', state: 'published' },
  },
  attributes,
  variant: 'parent_type',
  orders: { created: 'created', title: 'title_order', uuid: 'own_uuid', tree: 'tree' },
  filters: {
    state: stateFilter,
    parents: uuidsFilter('parent_uuid', 'Only directly about these content objects and comments'),
    content: uuidsFilter('content_uuid', 'Only about these content objects, replies included'),
    created: stampFilters.created,
  },
  indexes: [
    ['state', 'created'],
    ['state', 'title_order'],
    ['state', 'own_uuid'],
    ['state', 'tree'],
    ['parent_uuid', 'created'],
    ['parent_uuid', 'tree'],
    ['content_uuid', 'created'],
    ['content_uuid', 'tree'],
    ['content_uuid', 'state'],
  ],
  groupCounts: [{ key: countedUnder, within: ['content_uuid'] }],
  dependences: [
    {
      collection: 'comments',
      key: 'reply_to',
      reported: 'parent_uuid',
      onDeletion: 'replace',
      what: 'replies',
      by: placeholder,
    },
  ],
  check: placeholderFaults,
  siblingDefault: (state, change) =>
    change.previous === null
      ? {
          where: [
            { key: 'parent_uuid', equals: state.parent_uuid },
            { key: 'created', equals: createdAt(state, change) },
          ],
          order: [{ key: 'tree', direction: 'desc' }],
          apply: (last) => ({
            ...state,
            own_uuid: change.id,
            tree: treePath(state.tree ?? '', createdAt(state, change), last?.tree ?? null, change.id),
          }),
        }
      : null,
  // Its title is by a reader, and is not retained after its deletion.
  nameOf: () => null,
  isPublished: ({ state }) => state === 'published',
  shownToPublic: {
    where: ({ now }) => [
      { key: 'state', equals: 'published' },
      { key: 'hidden_until', atMost: now },
    ],
    keys: ['state', 'hidden_until'],
    times: [],
  },
  visibleWith: { references: ['content_uuid', 'reply_to'], follow, derive },
  redact: (state, viewer) =>
    isPublic(viewer)
      ? {
          ...state,
          title: state.edited_title ?? state.title,
          comment: state.edited_comment ?? state.comment,
        }
      : state,
})
