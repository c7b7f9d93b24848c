import {
  fault,
  homepage,
  isVisibleTo,
  notFound,
  redirect,
  section,
  type Fault,
} from '@publishing-service/domain'
import { firstHomepage, sectionPath } from '@publishing-service/domain/content'
import {
  applyRedirect,
  comparedText,
  foldedPath,
  kindsBelowPrefixes,
  maxSectionDepth,
  maxSitePath,
  nameOfPrefix,
  parseSitePath,
  pathHistory,
  pathKey,
  pathKeysOf,
  pathKinds,
  pathLookups,
  placeBelow,
  placeIn,
  placeKey,
  placeOf,
  publicPath,
  redirectKeys,
  type PathKind,
  type PathPlace,
  type Resolution,
  type SitePath,
} from '@publishing-service/domain/paths'
import { type Parameters } from '@publishing-service/domain/lists'
import type { Filter } from '@publishing-service/domain/filters'
import { operations } from '@publishing-service/domain/roles'
import { E } from '@publishing-service/domain/fp'
import { visibilityOf, acceptedState } from '@publishing-service/domain/engine'
import { unreadable, type Document, type Query } from '@publishing-service/ports'

import { accepted, fail } from '../attempt.js'
import { forEachPage } from '../engine/for-each-page.js'
import { loadReferences } from '../engine/load-related.js'
import type { ReadOperation } from '../operation.js'
import type { Session } from '../session.js'
import { heldAmong } from './places.js'

/** An object with a public path. */
type AtPath = {
  readonly kind: PathKind
  readonly document: Document
  /** Whether it has left the path by the draft that the session shows. */
  readonly hasLeft: boolean
}

/** The same, with the sections above it through which its path leads. */
export type Found = AtPath & { readonly above: readonly Document[] }

type Detail = Query['detail']

/** The number of objects, or redirects, that one query returns. */
const batchSize = 20

/** Redirects that one request follows. */
const maxRedirects = 20

/** An object that the session shows with its draft is at the place of that. */
const findShownAt = ({ documents }: Session, place: PathPlace): AtPath | null => {
  for (const kind of pathKinds)
    for (const document of documents.shownIn(kind.resource.collection)) {
      const own = placeOf(kind.resource, document.value)
      if (own !== null && placeKey(own) === placeKey(place)) return { kind, document, hasLeft: false }
    }
  return null
}

/** The object at a place, if the caller may see it. */
const findAt = async (session: Session, place: PathPlace, detail: Detail): Promise<AtPath | null> => {
  const shown = findShownAt(session, place)
  if (shown !== null) return shown
  const held = await heldAmong(session, [place])
  const [first] = held
  if (first === undefined) return null
  const { collection, id } = first.by
  const kind = pathKinds.find(({ resource }) => resource.collection === collection)
  if (kind === undefined) return null
  const moved = session.documents.shownIn(collection).find((each) => each.id === id)
  if (moved !== undefined) return { kind, document: moved, hasLeft: true }
  const read = await session.documents.getMany(collection, [id], detail)
  const document = read.find(({ value }) => {
    // A write that is running, or a crash, leaves places of objects that are elsewhere.
    const own = placeOf(kind.resource, value)
    const isHere = own !== null && placeKey(own) === placeKey(place)
    return isHere && isVisibleTo(kind.resource, session, value)
  })
  return document === undefined ? null : { kind, document, hasLeft: false }
}

/** The object below a section whose path ends with these names: two reads by id for each name. */
const findBelow = async (
  session: Session,
  start: string | null,
  names: readonly string[],
  detail: Detail,
): Promise<Found | null> => {
  const above: Document[] = []
  let parent = start
  for (const name of names.slice(0, -1)) {
    const found = await findAt(session, placeIn(parent, comparedText(name)), 'light')
    if (found?.kind.resource !== section) return null
    above.push(found.document)
    parent = found.document.id
  }
  const last = await findAt(session, placeIn(parent, comparedText(names.at(-1) ?? '')), detail)
  return last === null ? null : { ...last, above }
}

/** The object whose public path this is. */
const findCurrent = async (session: Session, { names }: SitePath, detail: Detail): Promise<Found | null> => {
  if (names.length === 0 || names.length > maxSectionDepth + 1) return null
  const [first = '', last = ''] = names
  const kind =
    names.length === 2
      ? kindsBelowPrefixes.find((each) => nameOfPrefix(each) === comparedText(first))
      : undefined
  const found =
    kind === undefined ? null : await findAt(session, placeBelow(kind, comparedText(last)), detail)
  return found === null ? findBelow(session, null, names, detail) : { ...found, above: [] }
}

const currentPath = ({ kind: { rule }, document: { value }, above }: Found): string => {
  const sections = new Map(above.map((each) => [each.id, each.value]))
  return publicPath(rule, value, (_collection, id) => sections.get(id))
}

type Paths = { readonly current: string; readonly former: readonly string[] }

const pathsOf = async (session: Session, { kind: { rule }, document: { value } }: AtPath): Promise<Paths> => {
  const find = await loadReferences(session, pathLookups(rule, value))
  return {
    current: publicPath(rule, value, find),
    former: pathHistory(rule, value, find).map(foldedPath),
  }
}

/** Objects with a recorded earlier path that meets the condition. */
const findRecorded = async (
  session: Session,
  kind: PathKind,
  condition: Filter,
): Promise<readonly AtPath[]> => {
  const { resource } = kind
  const read = await session.documents.find(resource.collection, {
    where: [condition, ...visibilityOf(resource, session)],
    order: [],
    skip: 0,
    limit: batchSize,
    detail: 'light',
  })
  return read.documents.flatMap((document) =>
    document.value === unreadable ? [] : [{ kind, document, hasLeft: false }],
  )
}

/** The objects below sections with an earlier path that is a start of this path. */
const findBelowFormer = async (session: Session, names: readonly string[]): Promise<readonly AtPath[]> => {
  const starts = names.slice(0, -1).map((_, index) => names.slice(0, index + 1))
  const found: AtPath[] = []
  if (starts.length === 0 || starts.length > maxSectionDepth) return found
  const keyOfStart = (start: readonly string[]) => pathKey(start.join('/'))
  const condition = { anyOf: starts.map((start) => [{ key: 'past_paths', has: keyOfStart(start) }]) }
  const recorded = await findRecorded(session, { resource: section, rule: sectionPath }, condition)
  for (const { document } of recorded) {
    const keys = pathKeysOf(document.value)
    for (const start of starts.filter((each) => keys.includes(keyOfStart(each)))) {
      const below = await findBelow(session, document.id, names.slice(start.length), 'light')
      if (below !== null) found.push(below)
    }
  }
  return found
}

/** The current path of the object that had this path: in its history, or by the history of a section above it. */
const findFormer = async (session: Session, { names }: SitePath): Promise<string | null> => {
  const written = names.join('/')
  const path = foldedPath(written)
  const candidates = await Promise.all([
    ...pathKinds.map((kind) => findRecorded(session, kind, { key: 'past_paths', has: pathKey(written) })),
    findBelowFormer(session, names),
  ])
  for (const found of candidates.flat()) {
    const paths = await pathsOf(session, found)
    if (paths.former.includes(path)) return paths.current
  }
  return null
}

type Address = { readonly address: string; readonly isPermanent: boolean }

/** The address of the first redirect, in their order, that applies. */
const findRedirect = async (session: Session, path: SitePath): Promise<Address | null> => {
  const addresses: Address[] = []
  await forEachPage(
    {
      documents: session.documents,
      collection: redirect.collection,
      where: [{ key: 'pattern_key', oneOf: redirectKeys(path) }],
      order: [{ key: 'ord', direction: 'asc' }],
      limit: batchSize,
    },
    (documents) => {
      for (const { value } of documents) {
        if (value === unreadable) continue
        const { pattern, template, permanent } = acceptedState(redirect.attributes, value)
        const address = applyRedirect({ pattern, template }, path)
        if (address !== null) addresses.push({ address, isPermanent: permanent !== false })
      }
    },
  )
  return addresses[0] ?? null
}

/** Where a path leads in one step: an object, with its canonical path, or another address; null if to neither. */
const takeStep = async (
  session: Session,
  path: SitePath,
  detail: Detail,
): Promise<{ readonly found: Found; readonly current: string } | Address | null> => {
  const found = await findCurrent(session, path, detail)
  if (found?.hasLeft === true)
    return { address: `${(await pathsOf(session, found)).current}${path.query}`, isPermanent: false }
  if (found !== null) return { found, current: currentPath(found) }
  const former = await findFormer(session, path)
  return former === null
    ? findRedirect(session, path)
    : { address: `${former}${path.query}`, isPermanent: true }
}

/** What is at a path: an object, whose canonical path it is, the homepage, or what it leads to. */
export type Located =
  | { readonly type: 'object'; readonly found: Found; readonly path: string }
  | { readonly type: 'homepage' }
  | Extract<Resolution, { readonly type: 'redirect' }>

/**
 * What a website does with a path. Redirects are followed to their end; a loop, or a path that leads nowhere, is not
 * found (docs/behaviour/paths.md#resolution). Needs two reads for each name in the path, and for a path of no object six
 * more for each redirect.
 */
export const locate = async (session: Session, requested: SitePath, detail: Detail): Promise<Located> => {
  const visited = new Set<string>()
  let [path, isPermanent] = [requested, true]
  const redirectTo = (address: string): Located => ({
    type: 'redirect',
    location: address,
    status: isPermanent ? 301 : 302,
  })
  while (!visited.has(`${path.path}${path.query}`) && visited.size < maxRedirects) {
    const isRequested = visited.size === 0
    visited.add(`${path.path}${path.query}`)
    if (path.names.length === 0)
      return isRequested && path.path === '/' ? { type: 'homepage' } : redirectTo(`/${path.query}`)
    const step = await takeStep(session, path, detail)
    if (step === null) {
      if (isRequested) fail(notFound)
      return redirectTo(`${path.path}${path.query}`)
    }
    if ('found' in step) {
      const { found, current } = step
      return isRequested && path.path === current
        ? { type: 'object', found, path: current }
        : redirectTo(`${current}${path.query}`)
    }
    isPermanent &&= step.isPermanent
    const next = parseSitePath(step.address)
    if (next === null) {
      // A path beyond the maximum length comes from a redirect that makes it longer each time.
      if (step.address.startsWith('/')) fail(notFound)
      return redirectTo(step.address)
    }
    path = next
  }
  fail(notFound)
}

/** The parameter `path`, or its fault. */
export const requestedPath = ({ path: text = '/' }: Parameters): E.Either<readonly Fault[], SitePath> => {
  const path = typeof text === 'string' ? parseSitePath(text) : null
  if (path !== null) return E.right(path)
  const message = `must be a path of the website that starts with /, up to ${maxSitePath} characters, sent once`
  return E.left([fault('path', 'parameter', message)])
}

/** Resolves the parameter `path`. */
export const resolvePath: ReadOperation<{ readonly parameters: Parameters }, Resolution> = {
  ...operations.resolvePath,
  run: async (session, { parameters }) => {
    const { links } = session
    const located = await locate(session, accepted(requestedPath(parameters)), 'light')
    if (located.type === 'redirect') return located
    if (located.type === 'homepage') {
      const { id } = firstHomepage
      return { type: homepage.name, uuid: id, url: links.object(homepage.collection, id), path: '/' }
    }
    const { found, path } = located
    const { collection, name } = found.kind.resource
    const { id } = found.document
    return { type: name, uuid: id, url: links.object(collection, id), path }
  },
}
