/**
 * A test that a document store loses no acknowledged write and no appended document when its process is killed, and that
 * no write is partial. It needs a program of the adapter that opens a store and passes it to `writeUntilKilled`.
 */
import { changes, nextPosition } from './changes.js'
import { append } from './appended.js'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect } from 'chai'
import { after, before, it } from 'mocha'
import type { JsonObject } from '@publishing-service/domain/json'
import type { DocumentChange, Collection, Document, DocumentStore } from '@publishing-service/ports'
import { all, idsOf, others, soon, things, walk } from './stage.js'
import { expectGroupCounts } from './expect-group-counts.js'
import { killsOf } from '../extent.js'
import { valueOf } from '../task-outcome.js'

/** The collections that the program opens its store with. */
export const crashCollections: readonly Collection[] = [things, others]

const instance = 1
const writers = 8

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

/**
 * Writes documents until the process is killed, each with an appended one, and prints each write once it has succeeded.
 * `writer` identifies this process among others on the same data.
 */
export const writeUntilKilled = async (store: DocumentStore, writer: string): Promise<never> => {
  const write = async (number: number): Promise<never> => {
    for (let i = 0; ; i++) {
      const id = `${writer}-${number}-${i}`
      for (const [version, kind] of sequenceOf(i).entries()) {
        const appended = append(others.name, instance, `${id} ${version + 1}`, { title: id })
        await valueOf(changes(store).change(things.name, instance, changeOf(kind, id, version), [appended]))
        process.stdout.write(`${id} ${version + 1}\n`)
      }
    }
  }
  return Promise.race(Array.from({ length: writers }, (_, number) => write(number)))
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
): Promise<readonly Document[]> =>
  (await walk((query) => store.find(collection, instance, query), { ...all, where, limit: 500 })).flatMap(
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

const expectAllWrites = async (
  store: DocumentStore,
  acknowledged: ReadonlyMap<string, number>,
): Promise<void> => {
  const documents = await documentsOf(store, things.name)
  for (const { id, version, value } of documents) expect(value).to.deep.equal(documentValue(id, version))
  const versions = new Map(documents.map(({ id, version }) => [id, version]))
  // The next change may have been made before the process could print it, and removes some.
  const lost = [...acknowledged].filter(
    ([id, count]) =>
      (versions.get(id) ?? 0) < (versionAfter(id, count) ?? 0) &&
      (versions.has(id) || sequenceOf(Number(id.split('-').at(-1)))[count] !== 'remove'),
  )
  expect(lost, 'lost writes').to.deep.equal([])
  await soon(() => expectAppended(store, documents, acknowledged))
  for (const [tag, version] of [
    ['inserted', 1],
    ['replaced', 2],
  ] as const)
    expect(idsOf(await documentsOf(store, things.name, [{ key: 'tags', has: tag }]))).to.have.members(
      idsOf(documents.filter((each) => each.version === version)),
    )
  await expectGroupCounts(store, instance, documents)
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
        await expectAllWrites(store, acknowledged)
      } finally {
        await store.close()
      }
    }
    expect(acknowledged.size, 'acknowledged documents').to.be.at.least(rounds)
  })
}
