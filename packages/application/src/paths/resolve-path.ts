import {
  acceptedState,
  applyRedirect,
  badParameters,
  comparedText,
  E,
  fault,
  firstHomepage,
  foldedPath,
  homepage,
  kindsBelowPrefixes,
  matchesFilter,
  maxSectionDepth,
  maxSitePath,
  nameOfPrefix,
  notFound,
  operations,
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
  redirect,
  redirectKeys,
  section,
  sectionKind,
  TE,
  typedState,
  type Either,
  type Filter,
  type Parameters,
  type PathKind,
  type PathPlace,
  type Resolution,
  type SitePath,
} from '@publishing-service/domain'
import { unreadable, type Document } from '@publishing-service/ports'

import type { Failure, Outcome } from '../failure.js'
import { forEachPage } from '../objects/for-each-page.js'
import { loadReferences } from '../objects/load-references.js'
import type { ReadOperation } from '../operation.js'
import type { Session } from '../session.js'
import { heldAmong } from './places.js'

type Found = { readonly kind: PathKind; readonly document: Document }

type Read<A> = Promise<Either<Failure, A>>

/** The number of objects, or redirects, that one query returns. */
const batchSize = 20

/** Redirects that one request follows. */
const maxRedirects = 20

/** The object at a place, if the caller may see it. */
const findAt = async (session: Session, place: PathPlace): Read<Found | null> => {
  const held = await heldAmong(session, [place])
  if (E.isLeft(held)) return held
  const [first] = held.right
  if (first === undefined) return E.right(null)
  const { collection, id } = first.by
  const kind = pathKinds.find(({ resource }) => resource.collection === collection)
  if (kind === undefined) return E.right(null)
  const read = await session.documents.getMany(collection, [id], 'light')()
  if (E.isLeft(read)) return read
  const visibility = kind.resource.visibility?.(session) ?? []
  const document = read.right.find(({ value }) => {
    // A write that is running, or a crash, leaves places of objects that are elsewhere.
    const own = placeOf(kind.resource, value)
    const isHere = own !== null && placeKey(own) === placeKey(place)
    return isHere && visibility.every((filter) => matchesFilter(filter, value))
  })
  return E.right(document === undefined ? null : { kind, document })
}

/** The object below a section whose path ends with these names: two reads by id for each name. */
const findBelow = async (
  session: Session,
  start: string | null,
  names: readonly string[],
): Read<Found | null> => {
  let parent = start
  for (const name of names.slice(0, -1)) {
    const above = await findAt(session, placeIn(parent, comparedText(name)))
    if (E.isLeft(above) || above.right === null) return above
    if (above.right.kind !== sectionKind) return E.right(null)
    parent = above.right.document.id
  }
  return findAt(session, placeIn(parent, comparedText(names.at(-1) ?? '')))
}

/** The object whose public path this is. */
const findCurrent = async (session: Session, { names }: SitePath): Read<Found | null> => {
  if (names.length === 0 || names.length > maxSectionDepth + 1) return E.right(null)
  const [first = '', last = ''] = names
  const kind =
    names.length === 2
      ? kindsBelowPrefixes.find((each) => nameOfPrefix(each) === comparedText(first))
      : undefined
  const found =
    kind === undefined ? E.right(null) : await findAt(session, placeBelow(kind, comparedText(last)))
  return E.isLeft(found) || found.right !== null ? found : findBelow(session, null, names)
}

type Paths = { readonly current: string; readonly former: readonly string[] }

const pathsOf = async (session: Session, { kind: { rule }, document: { value } }: Found): Read<Paths> => {
  const find = await loadReferences(session, pathLookups(rule, value))()
  return E.isLeft(find)
    ? find
    : E.right({
        current: publicPath(rule, value, find.right),
        former: pathHistory(rule, value, find.right).map(foldedPath),
      })
}

/** Objects with a recorded earlier path that meets the condition. */
const findRecorded = async (session: Session, kind: PathKind, condition: Filter): Read<readonly Found[]> => {
  const { resource } = kind
  const read = await session.documents.find(resource.collection, {
    where: [condition, ...(resource.visibility?.(session) ?? [])],
    order: [],
    skip: 0,
    limit: batchSize,
    detail: 'light',
  })()
  return E.isLeft(read)
    ? read
    : E.right(
        read.right.documents.flatMap((document) =>
          document.value === unreadable ? [] : [{ kind, document }],
        ),
      )
}

/** The objects below sections with an earlier path that is a start of this path. */
const findBelowFormer = async (session: Session, names: readonly string[]): Read<readonly Found[]> => {
  const starts = names.slice(0, -1).map((_, index) => names.slice(0, index + 1))
  const found: Found[] = []
  if (starts.length === 0 || starts.length > maxSectionDepth) return E.right(found)
  const keyOfStart = (start: readonly string[]) => pathKey(start.join('/'))
  const condition = { anyOf: starts.map((start) => [{ key: 'past_paths', has: keyOfStart(start) }]) }
  const recorded = await findRecorded(session, sectionKind, condition)
  if (E.isLeft(recorded)) return recorded
  for (const { document } of recorded.right) {
    const keys = pathKeysOf(typedState(section, document.value))
    for (const start of starts.filter((each) => keys.includes(keyOfStart(each)))) {
      const below = await findBelow(session, document.id, names.slice(start.length))
      if (E.isLeft(below)) return below
      if (below.right !== null) found.push(below.right)
    }
  }
  return E.right(found)
}

/** The current path of the object that had this path: in its history, or by the history of a section above it. */
const findFormer = async (session: Session, { names }: SitePath): Read<string | null> => {
  const written = names.join('/')
  const path = foldedPath(written)
  const candidates = await Promise.all([
    ...pathKinds.map((kind) => findRecorded(session, kind, { key: 'past_paths', has: pathKey(written) })),
    findBelowFormer(session, names),
  ])
  for (const each of candidates) {
    if (E.isLeft(each)) return each
    for (const found of each.right) {
      const paths = await pathsOf(session, found)
      if (E.isLeft(paths)) return paths
      if (paths.right.former.includes(path)) return E.right(paths.right.current)
    }
  }
  return E.right(null)
}

type Address = { readonly address: string; readonly isPermanent: boolean }

/** The address of the first redirect, in their order, that applies. */
const findRedirect = async (session: Session, path: SitePath): Read<Address | null> => {
  const addresses: Address[] = []
  const read = await forEachPage(
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
  )()
  return E.isLeft(read) ? read : E.right(addresses[0] ?? null)
}

/** Where a path leads in one step: an object, with its canonical path, or another address; null if to neither. */
const takeStep = async (
  session: Session,
  path: SitePath,
): Read<{ readonly found: Found; readonly current: string } | Address | null> => {
  const found = await findCurrent(session, path)
  if (E.isLeft(found)) return found
  if (found.right !== null) {
    const paths = await pathsOf(session, found.right)
    return E.isLeft(paths) ? paths : E.right({ found: found.right, current: paths.right.current })
  }
  const former = await findFormer(session, path)
  if (E.isLeft(former)) return former
  return former.right === null
    ? findRedirect(session, path)
    : E.right({ address: `${former.right}${path.query}`, isPermanent: true })
}

const homepageAt = ({ links }: Session): Resolution => ({
  type: homepage.name,
  uuid: firstHomepage.id,
  url: links.object(homepage.collection, firstHomepage.id),
  path: '/',
})

/**
 * What a website does with a path. Redirects are followed to their end; a loop, or a path that leads nowhere, is not
 * found (docs/behaviour/paths.md#resolution). Needs two reads for each name in the path, and for a path of no object six
 * more for each redirect.
 */
const resolve =
  (session: Session, requested: SitePath): Outcome<Resolution> =>
  async () => {
    const visited = new Set<string>()
    let [path, isPermanent] = [requested, true]
    const redirectTo = (address: string): Either<never, Resolution> =>
      E.right({ type: 'redirect', location: address, status: isPermanent ? 301 : 302 })
    while (!visited.has(`${path.path}${path.query}`) && visited.size < maxRedirects) {
      const isRequested = visited.size === 0
      visited.add(`${path.path}${path.query}`)
      if (path.names.length === 0)
        return isRequested && path.path === '/' ? E.right(homepageAt(session)) : redirectTo(`/${path.query}`)
      const step = await takeStep(session, path)
      if (E.isLeft(step)) return step
      if (step.right === null) return isRequested ? E.left(notFound) : redirectTo(`${path.path}${path.query}`)
      if ('found' in step.right) {
        const { found, current } = step.right
        const { collection, name } = found.kind.resource
        const { id } = found.document
        return isRequested && path.path === current
          ? E.right({ type: name, uuid: id, url: session.links.object(collection, id), path: current })
          : redirectTo(`${current}${path.query}`)
      }
      isPermanent &&= step.right.isPermanent
      const next = parseSitePath(step.right.address)
      if (next === null)
        // A path beyond the maximum length comes from a redirect that makes it longer each time.
        return step.right.address.startsWith('/') ? E.left(notFound) : redirectTo(step.right.address)
      path = next
    }
    return E.left(notFound)
  }

/** Resolves the parameter `path`. */
export const resolvePath: ReadOperation<{ readonly parameters: Parameters }, Resolution> = {
  ...operations.resolvePath,
  run: (session, { parameters: { path: text = '/' } }) => {
    const path = typeof text === 'string' ? parseSitePath(text) : null
    return path === null
      ? TE.left(
          badParameters([
            fault(
              'path',
              `must be a path of the website that starts with /, up to ${maxSitePath} characters, sent once`,
            ),
          ]),
        )
      : resolve(session, path)
  },
}
