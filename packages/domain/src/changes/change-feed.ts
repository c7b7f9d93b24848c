/**
 * The feed of changes (docs/behaviour/changes.md): what the record of a change says for it, what a role reads of that, and
 * the parameters of a request.
 */
import { base64urlPattern } from '../base64url.js'
import type { Fault } from '../fault.js'
import { E, type Either } from '../fp.js'
import { jsonEqual, type Json, type JsonObject } from '../json.js'
import { hasOtherPath } from '../resource/effects.js'
import { lastEarlierPath } from '../paths/path-history.js'
import { pathLookups, publicPath, urlnameOf } from '../paths/public-path.js'
import { clockTimeIn } from '../time/naive-date-time.js'
import { isNaiveDateTime } from '../time/parse-date-time.js'
import { readingParameters, type Parameters } from '../resource/collection-filter.js'
import type { Lookup } from '../resource/read-plan.js'
import { settingsAttributes } from '../instances/settings.js'
import { isVisibleTo, type DeclaredResource } from '../resource/resource.js'
import { resources } from '../resource/resources.js'
import type { Links, ViewContext, Viewer } from '../resource/view-context.js'
import type { Role } from '../role/permissions.js'
import type { Schema } from '../value/schema.js'
import { parseUuid } from '../value/text.js'
import {
  momentSchema,
  nullable,
  shown,
  textSchema,
  uriSchema,
  uuidSchema,
} from '../resource/shown-attribute.js'
import type { Shape } from '../resource/attribute-tables.js'

/** What the public sees of a change: an object appears, differs, or disappears. */
export type PublicEffect = 'shown' | 'changed' | 'hidden'

/** What the feed has changes of: what a resource declares, as far as the feed needs it. */
export type FeedSubject = Pick<
  DeclaredResource,
  'collection' | 'attributes' | 'path' | 'tree' | 'visibleWith' | 'within' | 'shownToPublic'
>

/** The settings of an instance, which all roles read. There is one of them, which has no UUID. */
export const settingsSubject: FeedSubject = { collection: 'settings', attributes: settingsAttributes }

/** What the record of a change says for the feed. */
export type ChangeMark = {
  /** `time` if nobody changed the object: it goes live, or a listing begins or ends. */
  readonly kind: 'insert' | 'replace' | 'remove' | 'time'
  /** Of `time`, what the public sees of it. */
  readonly effect?: PublicEffect
  /** The keys by which the public sees the object or not, before and after the change; absent if there is no object. */
  readonly was?: JsonObject
  readonly is?: JsonObject
  /** The time of the change on the clock of the instance, whose zone can change. */
  readonly at?: string
  /** What the public path of the object is made of, if it has one. */
  readonly urlname?: string
  readonly section?: string
  /** The public path before, if it is another one. */
  readonly previous_path?: string
  /** Whether the pages of all objects below it show the change. */
  readonly subtree?: true
  /** The object that it belongs to, as a comment does to its content. */
  readonly parent?: string
  /** Whether the public, which sees the object before and after, sees nothing of the change. */
  readonly hidden?: true
}

/**
 * What the record of a change says for the feed; the states before and after are null where there is none. `isHidden`: the public
 * reads the same in both.
 */
export const changeMark = (
  resource: FeedSubject,
  kind: ChangeMark['kind'],
  before: JsonObject | null,
  after: JsonObject | null,
  now: string,
  isHidden = false,
): ChangeMark => {
  const { path, shownToPublic, tree, visibleWith } = resource
  const restrictedBy = shownToPublic?.keys ?? []
  const within = visibleWith?.references[0]
  const known = after ?? before ?? {}
  const was: Record<string, Json> = {}
  const is: Record<string, Json> = {}
  for (const key of restrictedBy) {
    if (before !== null) was[key] = before[key] ?? null
    if (after !== null) is[key] = after[key] ?? null
  }
  const section = path?.section === undefined ? null : known[path.section]
  const parent = within === undefined ? null : known[within]
  let [previous, isSubtree]: [string | null, boolean] = [null, false]
  if (before !== null && after !== null) {
    if (path !== undefined && hasOtherPath(path, before, after)) previous = lastEarlierPath(after)
    for (const name of tree?.shownBelow ?? [])
      isSubtree ||= !jsonEqual(before[name] ?? null, after[name] ?? null)
  }
  return {
    kind,
    ...(before === null ? {} : { was }),
    ...(after === null ? {} : { is }),
    ...(restrictedBy.length === 0 ? {} : { at: now }),
    ...(path === undefined ? {} : { urlname: urlnameOf(known) }),
    ...(typeof section === 'string' ? { section } : {}),
    ...(previous === null ? {} : { previous_path: previous }),
    ...(isSubtree ? { subtree: true } : {}),
    ...(typeof parent === 'string' ? { parent } : {}),
    ...(isHidden ? { hidden: true } : {}),
  }
}

type Settings = Viewer['settings']

const isShown = (
  resource: FeedSubject,
  keys: JsonObject | undefined,
  now: Viewer['now'],
  settings: Settings,
): boolean => keys !== undefined && isVisibleTo(resource, { role: 'public_user', now, settings }, keys)

const effectOf = (wasShown: boolean, isShownNow: boolean): PublicEffect | null => {
  if (isShownNow) return wasShown ? 'changed' : 'shown'
  return wasShown ? 'hidden' : null
}

/** What the public sees of a change. */
export const publicEffect = (
  { resource, mark: { kind, effect, was, is, at, hidden }, created }: MarkedChange,
  settings: Settings,
): PublicEffect | null => {
  if (kind === 'time') return effect ?? null
  const now =
    at !== undefined && isNaiveDateTime(at) ? at : clockTimeIn(settings.timezone, Date.parse(created))
  const seen = effectOf(isShown(resource, was, now, settings), isShown(resource, is, now, settings))
  return seen === 'changed' && hidden === true ? null : seen
}

/** The mark of a change that time makes in an object; null if the public sees nothing of it. */
export const timeMark = (
  resource: DeclaredResource,
  state: JsonObject,
  { since, now }: { readonly since: Viewer['now']; readonly now: Viewer['now'] },
  settings: Settings,
): (ChangeMark & { readonly effect: PublicEffect }) | null => {
  const effect = effectOf(isShown(resource, state, since, settings), isShown(resource, state, now, settings))
  return effect === null ? null : { ...changeMark(resource, 'time', state, state, now), effect }
}

/** The kinds of objects that the public sees differently at certain times, with the keys that have these times. */
export const timedResources = resources.flatMap((resource) => {
  const keys = resource.shownToPublic?.times ?? []
  return keys.length === 0 ? [] : [{ resource, keys }]
})

/**
 * Whether the feed has an entry for a time that an object has reached. `since` is what the public sees of its changes since then:
 * there is none if one of them has made it appear, or is an entry that it differs.
 */
export const isTimeRecorded = (effect: PublicEffect, since: readonly (PublicEffect | null)[]): boolean =>
  effect === 'changed' ? since.length === 0 : !since.includes(effect)

/** The record of a change, as far as the feed needs it. */
export type MarkedChange = {
  readonly mark: ChangeMark
  readonly resource: FeedSubject
  /** Null for the settings. */
  readonly object: string | null
  /** When it was made, in UTC. */
  readonly created: string
}

/** The look-ups that the public path of a changed object needs. */
export const pathLookupsOf = ({ resource: { path }, mark }: MarkedChange): readonly Lookup[] =>
  path?.section === undefined || mark.section === undefined
    ? []
    : pathLookups(path, { [path.section]: mark.section })

const kinds = ['created', 'updated', 'published', 'unpublished', 'removed'] as const

/** What happened, for a role. */
export type ChangeKind = (typeof kinds)[number]

const kindFor = (
  { shownToPublic }: FeedSubject,
  { kind }: ChangeMark,
  effect: PublicEffect | null,
  isPublic: boolean,
): ChangeKind | null => {
  if (isPublic && effect === null) return null
  if (kind === 'remove') return 'removed'
  if (effect === 'shown') return shownToPublic === undefined ? 'created' : 'published'
  if (effect === 'hidden') return isPublic ? 'removed' : 'unpublished'
  return kind === 'insert' && !isPublic ? 'created' : 'updated'
}

/** A change as a role reads it. */
export type FeedItem = {
  readonly kind: ChangeKind
  /** The collection of the object. */
  readonly type: string
  readonly uuid: string | null
  readonly url: string
  readonly path: string | null
  readonly previous_path: string | null
  readonly time: string
  readonly subtree?: true
  readonly parent?: Readonly<Record<string, Json>>
}

/** The collection of the objects that those of a resource belong to, as comments do to content; null if to none. */
export const ownerCollectionOf = ({
  visibleWith,
  attributes,
}: Pick<FeedSubject, 'visibleWith' | 'attributes'>): string | null => {
  const within = visibleWith?.references[0]
  const owner = within === undefined ? undefined : attributes[within]
  return owner?.kind === 'stored' ? (owner.type.targets?.[0] ?? null) : null
}

/**
 * A change as a role reads it; null if it sees nothing of it. `effect` is what the public sees of it; `find` finds what
 * `pathLookupsOf` names.
 */
export const feedItem = (
  { mark, resource, object, created }: MarkedChange,
  effect: PublicEffect | null,
  role: Role,
  { find, links }: Pick<ViewContext, 'find'> & { readonly links: Pick<Links, 'collection' | 'object'> },
): FeedItem | null => {
  const kind = kindFor(resource, mark, effect, role === 'public_user')
  if (kind === null) return null
  const { collection, path: rule } = resource
  const { urlname, section, parent } = mark
  // Of an object that was deleted with its section, the path is not known any more.
  const isSectionKnown = section === undefined || find('sections', section) !== undefined
  const type = ownerCollectionOf(resource)
  return {
    kind,
    type: collection,
    uuid: object,
    url: object === null ? links.collection(collection) : links.object(collection, object),
    path:
      rule === undefined || urlname === undefined || !isSectionKnown
        ? null
        : publicPath(
            rule,
            { urlname, ...(rule.section === undefined ? {} : { [rule.section]: section ?? null }) },
            find,
          ),
    previous_path: mark.previous_path ?? null,
    time: created,
    ...(mark.subtree === true ? { subtree: true } : {}),
    ...(parent === undefined || type === null
      ? {}
      : { parent: { type, uuid: parent, url: links.object(type, parent) } }),
  }
}

const shownOfItem = shown<keyof FeedItem>

/** An item of the feed. */
export const feedItemShape: Shape = {
  attributes: {
    kind: shownOfItem(
      'kind',
      { type: 'string', enum: kinds },
      'What happened. For public_user, an object is `published` when it appears and `removed` when it disappears.',
    ),
    type: shownOfItem('type', textSchema, 'The collection of the object; `settings` for the settings.'),
    uuid: shownOfItem('uuid', uuidSchema, 'UUID of the object; null for the settings.', nullable),
    url: shownOfItem('url', uriSchema, 'API URL of the object.'),
    path: shownOfItem(
      'path',
      textSchema,
      'Its public path; null if it has none, or if that is not known any more.',
      nullable,
    ),
    previous_path: shownOfItem(
      'previous_path',
      textSchema,
      'Its public path before, if it was another one.',
      nullable,
    ),
    time: shownOfItem('time', momentSchema, 'When it happened, in UTC.'),
    subtree: shownOfItem(
      'subtree',
      { type: 'boolean' },
      'True if the pages of all objects below it show the change, such as the title of a section; else absent.',
      { sparse: true },
    ),
    parent: shownOfItem(
      'parent',
      {
        type: 'object',
        properties: {
          type: { ...textSchema, description: 'Its collection.' },
          uuid: { ...uuidSchema, description: 'Its UUID.' },
          url: { ...uriSchema, description: 'Its API URL.' },
        },
        required: ['type', 'uuid', 'url'],
      },
      'The object that it belongs to, such as the content of a comment; absent if there is none.',
      { sparse: true },
    ),
  },
}

/** The page around the items. */
export const feedPageShape: Shape = {
  attributes: {
    next: shown(
      'next',
      textSchema,
      'The place after the last item, for `since`: an opaque text of `A-Z a-z 0-9 - _`.',
    ),
  },
}

/** Days for which the feed has changes. */
export const feedDays = 30

/** The most seconds that a request waits for a change. */
export const longestWait = 30

/** A place in the records: the lowest position that has not been read, and when that was so, in seconds since 1970. */
export type FeedPlace = { readonly from: number; readonly time: number }

/**
 * A place as clients have it. It names the last record that was read, since positions count the writes of all instances; null
 * for the start of the feed. `time` is that of a `FeedPlace`.
 */
export type FeedCursor = { readonly after: string | null; readonly time: number }

/** The text of a place in the feed of an instance. */
export const feedCursor = (instance: number, { after, time }: FeedCursor): string =>
  `${instance}-${after ?? '0'}-${time.toString(36)}`

// Between the instance and the time, a release under development had a position, which names no record.
const cursorPattern = /^(\d{1,10})-([0-9a-f-]{36}|[0-9a-z]{1,11})-([0-9a-z]{1,7})$/

const parseCursor = (cursor: string, instance: number): FeedCursor | null => {
  const [, of, after = '', seconds = ''] = cursorPattern.exec(cursor) ?? []
  return Number(of) === instance ? { after: parseUuid(after), time: Number.parseInt(seconds, 36) } : null
}

/** What a request reads of the feed. */
export type FeedQuery = {
  /** After a place; all changes that the feed has; or those from now on. */
  readonly since: FeedCursor | 'start' | 'now'
  /** Seconds that it waits for a change. */
  readonly wait: number
  /** Only objects of these collections; null for all. */
  readonly types: ReadonlySet<string> | null
}

const collections = [...resources, settingsSubject].map(({ collection }) => collection)

/** The query parameters of the feed. */
export const feedParameters = [
  {
    name: 'since',
    description:
      'Changes after this place: `next` of an earlier response, or `now` for those from now on. Without it, all that the feed has.',
    schema: { type: 'string', format: 'feed-place', pattern: base64urlPattern },
  },
  {
    name: 'wait',
    description: 'Seconds to wait for a change if there is none; 0 by default.',
    schema: { type: 'integer', minimum: 0, maximum: longestWait },
  },
  {
    name: 'types',
    description: 'Only changes of objects of these collections, and of `settings`; several joined by commas.',
    schema: { type: 'array', items: { type: 'string', enum: collections }, minItems: 1 },
  },
] as const satisfies readonly { name: string; description: string; schema: Schema }[]

const parseSince =
  (instance: number) =>
  (text: string): Either<string, FeedQuery['since']> => {
    const place = text === 'now' ? text : parseCursor(text, instance)
    return place === null ? E.left('must be `next` of a response of this feed, or now') : E.right(place)
  }

const parseWait = (text: string): Either<string, number> =>
  /^\d{1,2}$/.test(text) && Number(text) <= longestWait
    ? E.right(Number(text))
    : E.left(`must be a number of seconds from 0 to ${longestWait}`)

const parseTypes = (text: string): Either<string, FeedQuery['types']> => {
  const names = text.split(',')
  return names.every((name) => collections.some((each) => each === name))
    ? E.right(new Set(names))
    : E.left(`must be names among ${collections.join(', ')}, with commas between them`)
}

/** The parameters of a request for the feed of an instance, or why they are not accepted. */
export const parseFeedQuery = (
  parameters: Parameters,
  instance: number,
): Either<readonly Fault[], FeedQuery> => {
  const { faults, read } = readingParameters(parameters)
  const query = {
    since: read<FeedQuery['since']>('since', 'start', parseSince(instance)),
    wait: read('wait', 0, parseWait),
    types: read<FeedQuery['types']>('types', null, parseTypes),
  }
  return faults.length > 0 ? E.left(faults) : E.right(query)
}
