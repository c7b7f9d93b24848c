import { resources, section, tagCategory, type Resource } from '@publishing-service/domain'
import type { AttributeTable } from '@publishing-service/domain/declare'
import type { Queryable } from '@publishing-service/domain/lists'
import { keyAttributes, sessionAttributes, storedLinkAttributes, userRows } from '@publishing-service/access'
import { draftsCollection, searchedAttributes } from '@publishing-service/domain/engine'
import { importAttributes, importLineAttributes } from '@publishing-service/domain/imports'
import { exportAttributes } from '@publishing-service/domain/jobs'
import { deliveryAttributes, webhookAttributes } from '@publishing-service/domain/webhooks'
import type { Collection, KeyType } from '@publishing-service/ports'

const keyType = (table: AttributeTable, key: string): KeyType => {
  const attribute = table[key]
  if (attribute?.kind === 'computed') return attribute.key
  const type = attribute?.kind === 'stored' ? attribute.type.key : undefined
  if (type === undefined) throw new Error(`${key} is not a key that a store can query`)
  return type
}

const keyTypes = (table: AttributeTable, keys: readonly string[]): Readonly<Record<string, KeyType>> =>
  Object.fromEntries(keys.map((key) => [key, keyType(table, key)]))

/** The keys that rows are ordered and filtered by. */
const keysOfRows = ({ orders, filters }: Pick<Queryable, 'orders' | 'filters'>): readonly string[] => [
  ...Object.values(orders),
  ...Object.values(filters).flatMap(({ keys }) => keys),
]

/** The keys that lists of subcollections are ordered and filtered by. */
const subcollectionKeys = ({ subcollections = [] }: Resource): readonly string[] =>
  subcollections.flatMap(keysOfRows)

/** The keys that the resource's orders, filters and visibility use. */
const keysOfResource = (resource: Resource): readonly string[] => [
  ...Object.values(resource.orders),
  ...subcollectionKeys(resource),
  ...Object.values(resource.filters).flatMap(({ keys }) => keys),
  ...resource.indexes.flat(),
  ...(resource.shownToPublic?.keys ?? []),
  ...(resource.attributes['urlname']?.kind === 'stored' ? ['urlname'] : []),
]

const keysOf = (resource: Resource): readonly string[] => [
  ...new Set([
    ...keysOfResource(resource),
    ...resources
      .flatMap(({ dependences = [] }) => dependences)
      .filter(({ collection }) => collection === resource.collection)
      .map(({ key }) => key),
    ...(resource.groupCounts ?? []).flatMap(({ key, within }) => [key, ...within]),
  ]),
]

/** Of these there are few, so that a list in the order of these keys, or filtered by them, reads all. */
const few: ReadonlySet<string> = new Set([section.collection, tagCategory.collection])
const unindexedOfFew = ['created', 'modified'] as const

/** The indexes of orders, those that the resource declares, and one of each other key that queries filter by. */
const indexesOf = (resource: Resource): Collection['indexes'] => {
  const unindexed = new Set<string>(few.has(resource.collection) ? unindexedOfFew : [])
  const orders = Object.values(resource.orders).flatMap((key) => (unindexed.has(key) ? [] : [[key]]))
  const declared = [...orders, ...resource.indexes]
  const firsts = new Set([...unindexed, ...declared.map(([first]) => first)])
  const others = keysOf(resource).flatMap((key) => (firsts.has(key) ? [] : [[key]]))
  return [...new Map([...declared, ...others].map((keys) => [keys.join(' '), keys])).values()]
}

const collectionOf = (resource: Resource): Collection => ({
  name: resource.collection,
  heavy: Object.entries(resource.attributes)
    .filter(([, attribute]) => attribute.kind === 'stored' && attribute.heavy)
    .map(([name]) => name),
  keys: keyTypes(resource.attributes, keysOf(resource)),
  indexes: indexesOf(resource),
  groupCounts: resource.groupCounts ?? [],
  searched: searchedAttributes(resource.attributes),
})

/**
 * The documents of the service itself, in the instance 0, which clients cannot address. Moves and places among the
 * public paths are stored in the instances of clients. The identity is the document that names the blob store of these
 * documents; orphans are uploads that no file refers to.
 */
export const systemInstance = 0

export const systemCollections = {
  instances: {
    name: 'instances',
    heavy: [],
    keys: { number: 'number', deleted: 'number', importing: 'text' },
    indexes: [['number'], ['deleted', 'importing']],
    groupCounts: [],
  },
  users: {
    name: 'users',
    heavy: [],
    keys: keyTypes(userRows.attributes, [...keysOfRows(userRows), 'email']),
    indexes: [
      ...Object.values(userRows.orders).map((key) => [key]),
      ['operator', 'name'],
      ['disabled', 'name'],
      ['email'],
    ],
    groupCounts: [],
  },
  keys: {
    name: 'keys',
    heavy: [],
    keys: keyTypes(keyAttributes, ['user', 'created']),
    indexes: [['user'], ['created']],
    groupCounts: [],
  },
  tokens: {
    name: 'tokens',
    heavy: [],
    keys: { expires: 'number', key: 'text' },
    indexes: [['expires'], ['key']],
    groupCounts: [],
  },
  /** Tokens of previews of single objects. */
  previews: {
    name: 'previews',
    heavy: [],
    keys: { expires: 'number', of: 'text', user: 'text' },
    indexes: [['expires'], ['of'], ['user']],
    groupCounts: [],
  },
  /** The ways in of people, by the ids of their users. */
  accounts: {
    name: 'accounts',
    heavy: [],
    keys: { passkey_keys: 'texts', identity_keys: 'texts' },
    indexes: [['passkey_keys'], ['identity_keys']],
    groupCounts: [],
  },
  /** Sessions of the dashboard, by the digests of their tokens. */
  signInSessions: {
    name: 'sign_in_sessions',
    heavy: [],
    keys: keyTypes(sessionAttributes, ['user', 'created', 'expires']),
    indexes: [['user', 'created'], ['expires']],
    groupCounts: [],
  },
  /** Links with which people set up their accounts, by the digests of their tokens. */
  signInLinks: {
    name: 'sign_in_links',
    heavy: [],
    keys: keyTypes(storedLinkAttributes, ['user', 'expires']),
    indexes: [['user'], ['expires']],
    groupCounts: [],
  },
  /** Mail that was not sent yet, by the ids of its links. */
  waitingMail: {
    name: 'waiting_mail',
    heavy: [],
    keys: { next: 'number', expires: 'number' },
    indexes: [['next'], ['expires']],
    groupCounts: [],
  },
  /** Sign-ins that browsers have begun, by the digests of their challenges. */
  signInChallenges: {
    name: 'sign_in_challenges',
    heavy: [],
    keys: { expires: 'number' },
    indexes: [['expires']],
    groupCounts: [],
  },
  /** Who has an object open. */
  presences: {
    name: 'presences',
    heavy: [],
    keys: { of: 'text', seen: 'number' },
    indexes: [['of'], ['seen']],
    groupCounts: [],
  },
  /** What follows from a write in other objects. The name is that of an earlier release. */
  cascades: { name: 'removals', heavy: [], keys: {}, indexes: [], groupCounts: [] },
  places: {
    name: 'places',
    heavy: [],
    keys: { parent: 'text', name: 'text' },
    indexes: [['parent', 'name']],
    groupCounts: [],
  },
  rightsChanges: { name: 'rights_changes', heavy: [], keys: {}, indexes: [], groupCounts: [] },
  moves: { name: 'moves', heavy: [], keys: {}, indexes: [], groupCounts: [] },
  identity: { name: 'identity', heavy: [], keys: {}, indexes: [], groupCounts: [] },
  orphans: { name: 'orphans', heavy: [], keys: {}, indexes: [], groupCounts: [] },
  rateCounts: { name: 'rate_counts', heavy: [], keys: {}, indexes: [], groupCounts: [] },
  /** Until when the feed of changes of an instance has what happens by the clock. */
  schedules: { name: 'schedules', heavy: [], keys: {}, indexes: [], groupCounts: [] },
  /** States that are too long for the record of the change that replaced or removed them, by its id, in their instance. */
  earlierStates: { name: 'earlier_states', heavy: [], keys: {}, indexes: [], groupCounts: [] },
  /** The drafts of objects, by collection and id, in their instance. */
  drafts: {
    name: draftsCollection.name,
    heavy: ['changes', 'base'],
    keys: {
      [draftsCollection.of]: 'texts',
      [draftsCollection.object]: 'text',
      [draftsCollection.due]: 'text',
      [draftsCollection.missed]: 'text',
    },
    indexes: [[draftsCollection.due], [draftsCollection.missed]],
    groupCounts: [{ key: draftsCollection.of, within: [draftsCollection.object] }],
  },
  /** Web hooks of all instances, their deliveries, and how far the process is that makes these. */
  webhooks: {
    name: 'webhooks',
    heavy: [],
    keys: keyTypes(webhookAttributes, ['instance', 'created', 'active']),
    indexes: [['instance', 'created'], ['active']],
    groupCounts: [],
  },
  webhookDeliveries: {
    name: 'webhook_deliveries',
    heavy: [],
    keys: keyTypes(deliveryAttributes, ['instance', 'hook', 'state', 'created', 'sequence']),
    indexes: [
      ['instance'],
      ['created'],
      ['hook', 'created'],
      ['hook', 'state', 'created'],
      ['hook', 'state', 'sequence'],
    ],
    groupCounts: [],
  },
  webhookWork: {
    name: 'webhook_work',
    heavy: [],
    keys: { instance: 'number' },
    indexes: [['instance']],
    groupCounts: [],
  },
  /** Imports of all instances, and the lines of their reports. */
  imports: {
    name: 'imports',
    heavy: [],
    keys: keyTypes(importAttributes, ['instance', 'created', 'state', 'removed', 'ended']),
    indexes: [['instance', 'created'], ['state', 'created'], ['removed'], ['ended']],
    groupCounts: [],
  },
  importLines: {
    name: 'import_lines',
    heavy: [],
    keys: keyTypes(importLineAttributes, ['import', 'instance', 'number', 'outcome']),
    indexes: [['import', 'number'], ['instance']],
    groupCounts: [],
  },
  /** Exports of all instances that the service makes. */
  exports: {
    name: 'exports',
    heavy: [],
    keys: keyTypes(exportAttributes, ['instance', 'created', 'state', 'removed', 'ended']),
    indexes: [['instance', 'created'], ['state', 'created'], ['removed'], ['ended']],
    groupCounts: [],
  },
  audit: {
    name: 'audit',
    heavy: ['before'],
    keys: {
      created: 'text',
      instance: 'number',
      user: 'text',
      operation: 'text',
      object: 'text',
      expires: 'text',
      within: 'text',
    },
    indexes: [
      ['created'],
      ['instance'],
      ['instance', 'created'],
      ['user', 'created'],
      ['operation', 'created'],
      ['object'],
      ['instance', 'expires'],
    ],
    groupCounts: [],
    inCommitOrder: true,
  },
} as const satisfies Readonly<Record<string, Collection>>

type Bundled = 'none' | 'own' | 'own, with history' | 'records, with history'

/**
 * Which documents of a collection of the service itself are in a bundle of an instance, as those of every resource are
 * (docs/bundle.md): those of the instance, the records of its changes if these are requested, or none. Places and schedules are
 * made again; all else is of the deployment.
 */
const bundled: Readonly<Record<keyof typeof systemCollections, Bundled>> = {
  instances: 'none',
  users: 'none',
  keys: 'none',
  tokens: 'none',
  previews: 'none',
  accounts: 'none',
  signInSessions: 'none',
  signInLinks: 'none',
  waitingMail: 'none',
  signInChallenges: 'none',
  presences: 'none',
  cascades: 'own',
  places: 'none',
  rightsChanges: 'none',
  moves: 'none',
  identity: 'none',
  orphans: 'none',
  rateCounts: 'none',
  schedules: 'none',
  earlierStates: 'own, with history',
  drafts: 'own',
  webhooks: 'none',
  webhookDeliveries: 'none',
  webhookWork: 'none',
  imports: 'none',
  importLines: 'none',
  exports: 'none',
  audit: 'records, with history',
}

const bundledParts = (part: Bundled): readonly string[] => {
  const parts: Readonly<Record<string, Bundled>> = bundled
  return Object.entries(systemCollections).flatMap(([key, { name }]) => (parts[key] === part ? [name] : []))
}

/** The collections whose documents of an instance are in its bundle. */
export const bundledCollections = (history: boolean): readonly string[] => [
  ...resources.map(({ collection }) => collection),
  ...bundledParts('own'),
  ...(history ? [...bundledParts('own, with history'), ...bundledParts('records, with history')] : []),
]

/** All collections of a document store. */
export const collections: readonly Collection[] = [
  ...resources.map(collectionOf),
  ...Object.values(systemCollections),
]

/** The collection of this name. Throws if there is none, which is a defect. */
export const collectionNamed = (name: string): Collection => {
  const found = collections.find((each) => each.name === name)
  if (found === undefined) throw new Error(`${name} is no collection`)
  return found
}
