/**
 * A test that a document store loses no acknowledged write and no appended document when its process is killed, and that
 * no write is partial, of one document or of several. It needs a program of the adapter that opens a store and passes it to `writeUntilKilled`.
 */
import { changes, expected, inserted, nextPosition, removed, replaced } from './changes.js'
import { append } from './appended.js'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect } from 'chai'
import { after, before, it } from 'mocha'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Change, DocumentChange, Collection, Document, DocumentStore } from '@publishing-service/ports'
import { all, idsOf, others, soon, things, walk } from './stage.js'
import { expectGroupCounts } from './expect-group-counts.js'
import { killsOf } from '../extent.js'
import { valueOf } from '../task-outcome.js'

/** The collections that the program opens its store with. */
export const crashCollections: readonly Collection[] = [things, others]

const instance = 1
const writers = 8

/** Where pairs of documents with one id are written together, one in each collection. */
const ofPairs = 2
const writersOfPairs = 4

/** A pair that every write of another expects. */
const hub = 'hub'

/** The changes of each document, by its number: some are replaced, some removed. */
const sequences: readonly (readonly DocumentChange['kind'][])[] = [
  ['insert', 'replace'],
  ['insert', 'remove'],
  ['insert'],
]
const sequenceOf = (number: number) => sequences[number % sequences.length] ?? []

/** The version of a document after this many of its changes; null if it does not exist. */
const versionAfter = (id: string, made: number): number | null =>
  made === 0 || sequenceOf(Number(id.split('-').at(-1)))[made - 1] === 'remove' ? null : made

const documentValue = (id: string, version: number): JsonObject => ({
  title: id,
  rank: version,
  kind: version === 1 ? 'x' : 'y',
  content: id.repeat(100),
  tags: version === 1 ? ['a', 'inserted'] : ['b', 'replaced'],
})

const changeOf = (kind: DocumentChange['kind'], id: string, version: number): DocumentChange => {
  if (kind === 'remove') return { kind, id, version }
  const next = { id, unique: id, value: documentValue(id, version + 1) }
  return kind === 'insert'
    ? { kind, document: { ...next, position: nextPosition() } }
    : { kind, document: { ...next, version } }
}

const pairChange = (
  kind: DocumentChange['kind'],
  collection: string,
  id: string,
  version: number,
): Change => {
  if (kind === 'remove') return removed(collection, id, version)
  const value = documentValue(id, version + 1)
  return kind === 'insert'
    ? inserted(collection, id, value, id)
    : replaced(collection, id, version, value, id)
}

const pairChanges = (kind: DocumentChange['kind'], id: string, version: number): readonly Change[] =>
  crashCollections.map(({ name }) => pairChange(kind, name, id, version))

/**
 * Writes documents until the process is killed, each with an appended one, and pairs of documents, and prints each write once it
 * has succeeded. `writer` identifies this process among others on the same data.
 */
export const writeUntilKilled = async (store: DocumentStore, writer: string): Promise<never> => {
  const writeEach = async (
    name: string,
    write: (kind: DocumentChange['kind'], id: string, version: number) => Promise<unknown>,
  ): Promise<never> => {
    for (let i = 0; ; i++) {
      const id = `${name}-${i}`
      for (const [version, kind] of sequenceOf(i).entries()) {
        await write(kind, id, version)
        process.stdout.write(`${id} ${version + 1}\n`)
      }
    }
  }
  const writeOne = (kind: DocumentChange['kind'], id: string, version: number) => {
    const appended = append(others.name, instance, `${id} ${version + 1}`, { title: id })
    return valueOf(changes(store).change(things.name, instance, changeOf(kind, id, version), [appended]))
  }
  const writePair = (kind: DocumentChange['kind'], id: string, version: number) =>
    valueOf(store.write(ofPairs, [...pairChanges(kind, id, version), expected(things.name, hub)], []))
  // Another process has inserted the hub if this fails.
  await store.write(ofPairs, pairChanges('insert', hub, 0), [])()
  return Promise.race([
    ...Array.from({ length: writers }, (_, number) => writeEach(`${writer}-${number}`, writeOne)),
    ...Array.from({ length: writersOfPairs }, (_, number) =>
      writeEach(`pair-${writer}-${number}`, writePair),
    ),
  ])
}

/** Data that processes write to. */
export type CrashSubject = {
  /** A Node program and its arguments. It opens the store and calls `writeUntilKilled` with this name. */
  readonly program: (writer: string) => readonly [string, ...string[]]
  /** Opens the data in this process, with `crashCollections`. */
  readonly open: () => Promise<DocumentStore>
  /** Further checks after a process was killed, before the data is opened again. */
  readonly inspect?: () => Promise<void>
  readonly dispose: () => Promise<void>
}

export type Crashes = { readonly prepare: () => Promise<CrashSubject> }

/** Milliseconds of a process that is killed, at most. */
const roundTimeout = 60_000

/** Kills the program after it has printed this many lines. Returns how many changes it printed, by the id of the document. */
const writeAndKill = async (
  commandLine: readonly string[],
  lines: number,
): Promise<ReadonlyMap<string, number>> => {
  const started = spawn(process.execPath, commandLine, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(started, 'close')
  const acknowledged = new Map<string, number>()
  let left = lines
  for await (const line of createInterface({ input: started.stdout })) {
    const [id = '', version = ''] = line.split(' ')
    acknowledged.set(id, Number(version))
    if (--left === 0) started.kill('SIGKILL')
  }
  expect(await ended, 'exit code and signal of the program').to.deep.equal([null, 'SIGKILL'])
  return acknowledged
}

const documentsOf = async (
  store: DocumentStore,
  collection: string,
  where: (typeof all)['where'] = [],
  of = instance,
): Promise<readonly Document[]> =>
  (await walk((query) => store.find(collection, of, query), { ...all, where, limit: 500 })).flatMap(
    (page) => page.documents,
  )

/** Each change was made with its appended document, or neither was. */
const expectAppended = async (
  store: DocumentStore,
  documents: readonly Document[],
  acknowledged: ReadonlyMap<string, number>,
): Promise<void> => {
  const made = new Map<string, number>()
  for (const id of idsOf(await documentsOf(store, others.name))) {
    const [changed = '', version = ''] = id.split(' ')
    made.set(changed, Math.max(made.get(changed) ?? 0, Number(version)))
  }
  const lost = [...acknowledged].filter(([id, count]) => (made.get(id) ?? 0) < count)
  expect(lost, 'acknowledged changes without their appended documents').to.deep.equal([])
  const versions = new Map(documents.map(({ id, version }) => [id, version]))
  const differing = [...new Set([...versions.keys(), ...made.keys()])].filter(
    (id) => (versions.get(id) ?? null) !== versionAfter(id, made.get(id) ?? 0),
  )
  expect(differing, 'documents whose version is not that of their appended documents').to.deep.equal([])
}

/** Acknowledged changes that were lost. The next may have been made before the process could print it, and removes some. */
const lostOf = (documents: readonly Document[], acknowledged: ReadonlyMap<string, number>) => {
  const versions = new Map(documents.map(({ id, version }) => [id, version]))
  return [...acknowledged].filter(
    ([id, count]) =>
      (versions.get(id) ?? 0) < (versionAfter(id, count) ?? 0) &&
      (versions.has(id) || sequenceOf(Number(id.split('-').at(-1)))[count] !== 'remove'),
  )
}

const isPair = (id: string): boolean => id.startsWith('pair-')

const expectPairs = async (
  store: DocumentStore,
  acknowledged: ReadonlyMap<string, number>,
): Promise<void> => {
  const [first = [], second = []] = await Promise.all(
    crashCollections.map(({ name }) => documentsOf(store, name, [], ofPairs)),
  )
  for (const { id, version, value } of first) expect(value).to.deep.equal(documentValue(id, version))
  const contentOf = (documents: readonly Document[]) =>
    documents.map(({ id, version, value }) => ({ id, version, value }))
  expect(contentOf(first), 'the first of each pair').to.have.deep.members(contentOf(second))
  expect(lostOf(first, acknowledged), 'lost pairs').to.deep.equal([])
  // None is blocked by what the process has left.
  const some = first.filter(({ version }) => version === 1).slice(0, 5)
  for (const { id } of some) await valueOf(store.write(ofPairs, pairChanges('replace', id, 1), []))
}

/** All that the store has agrees: the documents, what was appended with them, the index of tags, and the counts. */
const expectConsistent = async (
  store: DocumentStore,
  acknowledged: ReadonlyMap<string, number>,
): Promise<readonly Document[]> => {
  const documents = await documentsOf(store, things.name)
  for (const { id, version, value } of documents) expect(value).to.deep.equal(documentValue(id, version))
  expect(lostOf(documents, acknowledged), 'lost writes').to.deep.equal([])
  await expectAppended(store, documents, acknowledged)
  for (const [tag, version] of [
    ['inserted', 1],
    ['replaced', 2],
  ] as const)
    expect(idsOf(await documentsOf(store, things.name, [{ key: 'tags', has: tag }]))).to.have.members(
      idsOf(documents.filter((each) => each.version === version)),
    )
  await expectGroupCounts(store, instance, documents)
  return documents
}

const expectAllWrites = async (
  store: DocumentStore,
  acknowledged: ReadonlyMap<string, number>,
): Promise<void> => {
  // A server may still carry out the last commands of the process between two reads.
  const documents = await soon(() => expectConsistent(store, acknowledged))
  const [first] = documents
  if (first === undefined) return
  const duplicate = await changes(store).insert(things.name, instance, {
    id: 'other',
    unique: first.id,
    value: {},
  })()
  expect(duplicate).to.deep.include({ left: { _tag: 'UniqueConflict', change: 0 } })
}

/** Declares the test of killed processes. */
export const crashes = ({ prepare }: Crashes): void => {
  const rounds = killsOf(1)
  let subject: CrashSubject | undefined
  before(async () => {
    subject = await prepare()
  })
  after(() => subject?.dispose())

  it(`every acknowledged write exists completely, ${rounds} times in sequence`, async function () {
    this.timeout(rounds * roundTimeout)
    const { program, open, inspect } = subject ?? expect.fail('nothing was prepared')
    const acknowledged = new Map<string, number>()
    for (let round = 0; round < rounds; round++) {
      const lines = 1 + Math.floor(Math.random() * 150)
      for (const [id, count] of await writeAndKill(program(`${round}`), lines)) acknowledged.set(id, count)
      await inspect?.()
      const store = await open()
      try {
        const split = [...acknowledged]
        await expectAllWrites(store, new Map(split.filter(([id]) => !isPair(id))))
        await expectPairs(store, new Map(split.filter(([id]) => isPair(id))))
      } finally {
        await store.close()
      }
    }
    expect(acknowledged.size, 'acknowledged documents').to.be.at.least(rounds)
  })
}
