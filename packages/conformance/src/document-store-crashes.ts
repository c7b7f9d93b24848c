/**
 * A check that a document store loses no acknowledged write when its process is killed, and that no write is partial.
 * It needs a program of the adapter that opens a store and passes it to `writeUntilKilled`.
 */
import { changes } from './document-store/changes.js'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { E } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Collection, Document, DocumentStore } from '@publishing-service/ports'
import { all, idsOf, things, walk } from './document-store/stage.js'
import { expectGroupCounts } from './document-store/expect-group-counts.js'

/** The collections that the program opens its store with. */
export const crashCollections: readonly Collection[] = [things]

const instance = 1
const writers = 8

const documentValue = (id: string, version: number): JsonObject => ({
  title: id,
  rank: version,
  kind: version === 1 ? 'x' : 'y',
  content: id.repeat(100),
  tags: version === 1 ? ['a', 'inserted'] : ['b', 'replaced'],
})

/**
 * Inserts and replaces documents until the process is killed, and prints each write once it has succeeded. `writer`
 * identifies this process among others on the same data.
 */
export const writeUntilKilled = async (store: DocumentStore, writer: string): Promise<never> => {
  const write = async (number: number): Promise<never> => {
    for (let i = 0; ; i++) {
      const id = `${writer}-${number}-${i}`
      for (const version of i % 3 === 0 ? [1, 2] : [1]) {
        const next = { id, unique: id, value: documentValue(id, version) }
        const written =
          version === 1
            ? await changes(store).insert(things.name, instance, next)()
            : await changes(store).replace(things.name, instance, { ...next, version: version - 1 })()
        if (E.isLeft(written))
          throw new Error(
            `expected the write of ${id} to succeed, got the failure ${JSON.stringify(written.left)}`,
          )
        process.stdout.write(`${id} ${version}\n`)
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

export type DocumentStoreCrashes = {
  /** Names the adapter in the report. */
  readonly name: string
  readonly prepare: () => Promise<CrashSubject>
  /** How many processes are killed. By default 2, and 8 in a whole run. */
  readonly rounds?: number
  /** Milliseconds for the check; three minutes by default. */
  readonly timeout?: number
}

/** Kills the program after it has printed this many lines. Returns the versions that it printed, by id. */
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

const expectAllWrites = async (
  store: DocumentStore,
  acknowledged: ReadonlyMap<string, number>,
): Promise<void> => {
  const pages = await walk((query) => store.find(things.name, instance, query), { ...all, limit: 500 })
  const documents: readonly Document[] = pages.flatMap((page) => page.documents)
  for (const { id, version, value } of documents) expect(value).to.deep.equal(documentValue(id, version))
  const versions = new Map(documents.map(({ id, version }) => [id, version]))
  const lost = [...acknowledged].filter(([id, version]) => (versions.get(id) ?? 0) < version)
  expect(lost, 'lost writes').to.deep.equal([])
  for (const [tag, version] of [
    ['inserted', 1],
    ['replaced', 2],
  ] as const) {
    const query = { ...all, limit: 500, where: [{ key: 'tags', has: tag }] }
    const found = (await walk((each) => store.find(things.name, instance, each), query)).flatMap(
      (page) => page.documents,
    )
    expect(idsOf(found)).to.have.members(idsOf(documents.filter((each) => each.version === version)))
  }
  await expectGroupCounts(store, instance, documents)
  const [first] = documents
  if (first === undefined) return
  const duplicate = await changes(store).insert(things.name, instance, {
    id: 'other',
    unique: first.id,
    value: {},
  })()
  expect(duplicate).to.deep.include({ left: { _tag: 'UniqueConflict' } })
}

/** Declares the check. Call it at the top of a test file or in a `describe`. */
export const documentStoreCrashes = (options: DocumentStoreCrashes): void => {
  const { name, prepare, rounds = 2, timeout = 180_000 } = options
  describe(`${name}, when its process is killed`, function () {
    this.timeout(timeout)
    let subject: CrashSubject | undefined
    before(async () => {
      subject = await prepare()
    })
    after(() => subject?.dispose())

    it(`has every acknowledged write completely, ${rounds} times in sequence`, async () => {
      const { program, open, inspect } = subject ?? expect.fail('nothing was prepared')
      const acknowledged = new Map<string, number>()
      for (let round = 0; round < rounds; round++) {
        const lines = 1 + Math.floor(Math.random() * 150)
        for (const [id, version] of await writeAndKill(program(`${round}`), lines))
          acknowledged.set(id, version)
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
  })
}
