/** Marks the documents of an intent by one command for several, where nothing is in the way. */
import { forAll, groupsOf } from './for-all.js'
import { named } from './marks.js'
import { isDuplicate } from './mongodb-failure.js'
import type { Planned } from './plan-changes.js'
import { isUniqueText, type StoredDocument } from './stored-document.js'
import { type Filter, type Held, hiddenFor, type Taken } from './take-document.js'

type Kind<K extends Planned['kind']> = Extract<Planned, { readonly kind: K }>
type Existing = Exclude<Planned, Kind<'insert'>>

/** What marks a document, alone and with the claim of its unique text, or together with other intents. */
export const marking = (intent: string, isShared: boolean, claim: Pick<StoredDocument, 'claim'> = {}) =>
  isShared ? { $addToSet: { shared: intent } } : { $set: { mark: intent, ...claim } }

const insertGroup = async (
  group: readonly [Kind<'insert'>, ...Kind<'insert'>[]],
  intent: string,
): Promise<boolean> => {
  const [{ stored, instance }] = group
  const { documents } = stored
  try {
    await documents.insertMany(
      group.map(({ document, position }) => hiddenFor(intent, document, position)),
      { ordered: false },
    )
  } catch (error) {
    if (isDuplicate(error)) return false
    throw error
  }
  const unique = group.map(({ document }) => document.unique).filter(isUniqueText)
  return unique.length === 0 || (await documents.findOne({ instance, unique: { $in: unique } })) === null
}

const hasClaim = (planned: Planned): boolean =>
  planned.kind === 'replace' && planned.content.claim !== undefined

/** Whether a replaced document gets a unique text that it has not claimed: a new one, or after an intent was withdrawn. */
const claimsText = (planned: Planned, { unique, claim }: Held): boolean =>
  planned.kind === 'replace' && (planned.content.unique !== unique || planned.content.claim !== claim)

/** The documents of a group, each with the version that its change replaces. One filter costs FerretDB one scan. */
const inVersions = (group: readonly Existing[]): Filter => {
  const all = named(group.map(({ name }) => name))
  const versioned = group.flatMap(({ name, version }) => (version === null ? [] : [{ name, version }]))
  const alternatives = groupsOf(versioned, ({ version }) => `${version}`).map((same) => ({
    ...named(same.map(({ name }) => name)),
    version: same[0].version,
  }))
  return alternatives.length === 0 ? all : { ...all, $or: alternatives }
}

const markGroup = async (
  group: readonly [Existing, ...Existing[]],
  held: readonly Held[],
  intent: string,
): Promise<boolean> => {
  const [{ stored, instance, kind }] = group
  // Any of these: their intents are concluded.
  const marks = new Set(held.map(({ mark }) => mark))
  const filter = {
    ...inVersions(group),
    instance,
    // A document that was removed and inserted again has another position.
    sequence: { $in: held.map(({ sequence }) => sequence) },
    mark: marks.has(undefined) ? { $exists: false } : { $in: [...marks] },
    ...(kind === 'expect' ? {} : { 'shared.0': { $exists: false } }),
    ...(hasClaim(group[0]) ? { claim: { $exists: true } } : {}),
  }
  const { matchedCount } = await stored.documents.updateMany(filter, marking(intent, kind === 'expect'))
  return matchedCount === group.length
}

/**
 * The documents that it could mark together. Others, some of which may have the mark already, are marked one by one.
 * `readAs` returns a document as it was read, and `isFree` whether no other intent has it.
 */
export const markTogether = async (
  planned: readonly Planned[],
  readAs: (of: Planned) => Held | null,
  isFree: (of: Planned, held: Held) => boolean,
  intent: string,
): Promise<ReadonlyMap<Planned, Taken>> => {
  const inserts = planned.filter((each) => each.kind === 'insert')
  const found = new Map<Existing, Held>()
  for (const each of planned) {
    const held = readAs(each)
    if (each.kind !== 'insert' && held !== null && isFree(each, held) && !claimsText(each, held))
      found.set(each, held)
  }
  const heldOf = (group: readonly Existing[]) => group.flatMap((each) => found.get(each) ?? [])
  const existing = groupsOf([...found.keys()], (each) => {
    const { stored, kind, version } = each
    const isMarked = found.get(each)?.mark !== undefined
    return [stored.layout.name, kind === 'expect', version === null, hasClaim(each), isMarked].join(' ')
  })
  const taken = new Map<Planned, Taken>()
  const note = (group: readonly Planned[]): void => {
    for (const each of group) taken.set(each, { kind: 'taken', position: readAs(each)?.sequence ?? 0 })
  }
  await Promise.all([
    forAll(
      groupsOf(inserts, ({ stored }) => stored.layout.name),
      async (group) => {
        if (group.length > 1 && (await insertGroup(group, intent))) note(group)
      },
    ),
    forAll(existing, async (group) => {
      if (group.length > 1 && (await markGroup(group, heldOf(group), intent))) note(group)
    }),
  ])
  return taken
}
