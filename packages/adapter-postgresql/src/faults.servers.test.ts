import { expect } from 'chai'
import { after, afterEach, before, beforeEach, describe, it } from 'mocha'
import { E } from '@publishing-service/domain/fp'
import {
  type Collection,
  type DocumentStore,
  type Query,
  type SingleChanges,
  singleChanges,
  unreadable,
  singleReads,
} from '@publishing-service/ports'
import { postgresqlDocumentStore, type PostgresqlDocumentStoreOptions } from './postgresql-document-store.js'
import { all, dropDatabase, newDatabase, right, things, withDriver } from './test-support/database.js'
import { type PostgresqlServer, startPostgresql, unreliableConnection } from './test-support/servers.js'

const collections = [things]

/** In commit order, as records of objects are. */
const log: Collection = {
  name: 'log',
  heavy: [],
  keys: { object: 'text' },
  indexes: [['object']],
  groupCounts: [],
  inCommitOrder: true,
}

const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))

let positions = 0
const changesOf = (store: DocumentStore): SingleChanges => singleChanges(store, () => ++positions)

/** Repeats a test until it holds, for at most ten seconds. */
const until = async (test: () => boolean | Promise<boolean>): Promise<void> => {
  const end = performance.now() + 10_000
  while (!(await test())) {
    expect(performance.now(), 'it does not hold').to.be.below(end)
    await sleep(20)
  }
}

describe('postgresqlDocumentStore, with a server that fails', function () {
  this.timeout(60_000)
  let server: PostgresqlServer
  let database: string
  let url: string
  const opened: DocumentStore[] = []
  const open = async (
    options: Partial<PostgresqlDocumentStoreOptions> = {},
  ): Promise<{ readonly store: DocumentStore; readonly changes: SingleChanges }> => {
    const store = await postgresqlDocumentStore({ url, collections, ...options })
    opened.push(store)
    return { store, changes: changesOf(store) }
  }
  before(async () => {
    server = await startPostgresql()
  })
  after(() => server.dispose())
  beforeEach(async () => {
    database = await newDatabase(server)
    url = server.url(database)
  })
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((store) => store.close()))
    await dropDatabase(server, database)
  })

  const tableIn = (name: string): Promise<string> =>
    withDriver(url, async (client) => {
      const { rows } = await client.query<{ documents: string }>(
        'SELECT documents FROM publishing_layouts WHERE name = $1',
        [name],
      )
      return rows[0]?.documents ?? expect.fail(`no table of ${name}`)
    })

  it('documents that were damaged are unreadable, and others are read', async () => {
    const { store, changes } = await open()
    for (const id of ['a', 'b'])
      await right(changes.insert('things', 1, { id, unique: id, value: { title: id } }))
    const table = await tableIn('things')
    await withDriver(url, (client) =>
      client.query(`UPDATE "${table}" SET light = '{"tit' WHERE id = $1`, [Buffer.from('b')]),
    )
    const { documents } = await right(
      store.find('things', 1, { ...all, order: [{ key: 'title', direction: 'asc' }] }),
    )
    expect(documents.map(({ value }) => value === unreadable)).to.deep.equal([false, true])
    const page = await right(
      store.find('things', 1, { ...all, order: [{ key: 'title', direction: 'desc' }], limit: 1 }),
    )
    expect(page.documents.map(({ id }) => id)).to.deep.equal(['b'])
    expect(page.next).not.to.equal(null)
    await right(changes.remove('things', 1, 'b', 1))
  })

  it('connections that an administrator ends under writers: no acknowledged write is lost, none rejects', async () => {
    const { store, changes } = await open()
    const acknowledged: string[] = []
    const failures: string[] = []
    let writing = true
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let i = 0; writing; i++) {
        const id = `${writer}-${i}`
        const outcome = await changes.insert('things', 1, {
          id,
          unique: id,
          value: { title: id, tags: ['x'] },
        })()
        if (E.isRight(outcome)) acknowledged.push(id)
        else failures.push(outcome.left._tag)
      }
    })
    const ending = withDriver(server.url('postgres'), async (client) => {
      for (let round = 0; round < 20; round++) {
        await sleep(50)
        await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [
          database,
        ])
      }
    })
    await ending
      .then(() => {
        const count = acknowledged.length
        return until(() => acknowledged.length > count + 20)
      })
      .finally(() => (writing = false))
    await Promise.all(writers)
    await right(changes.insert('things', 1, { id: 'last', unique: null, value: { tags: ['x'] } }))
    expect(new Set(failures)).to.deep.equal(new Set(failures.length === 0 ? [] : ['PortFailure']))
    for (let from = 0; from < acknowledged.length; from += 1000) {
      const some = acknowledged.slice(from, from + 1000)
      expect(await right(singleReads(store).getMany('things', 1, some, 'light'))).to.have.lengthOf(
        some.length,
      )
    }
    const [counted] = await right(singleReads(store).countGroups('things', 1, 'tags', { open: null }))
    const { rows } = await withDriver(url, async (client) =>
      client.query<{ count: string }>(`SELECT count(*) FROM "${await tableIn('things')}"`),
    )
    expect(counted?.count).to.equal(Number(rows[0]?.count))
  })

  it('a lock of another program: writes fail within the deadline and are not applied later, reads work', async () => {
    const { store, changes } = await open({ deadline: 1000 })
    await right(changes.insert('things', 1, { id: 'a', unique: null, value: { title: 'before' } }))
    const table = await tableIn('things')
    await withDriver(url, async (client) => {
      await client.query('BEGIN')
      await client.query(`LOCK TABLE "${table}" IN EXCLUSIVE MODE`)
      const replacement = { id: 'a', unique: null, version: 1, value: { title: 'after' } }
      const outcome = await changes.replace('things', 1, replacement)()
      expect(E.isLeft(outcome) && outcome.left).to.include({ _tag: 'PortFailure' })
      expect(E.isLeft(outcome) && outcome.left).not.to.have.property('mayYetApply')
      expect((await right(store.get('things', 1, 'a')))?.value).to.deep.equal({ title: 'before' })
      await client.query('ROLLBACK')
    })
    await sleep(1200)
    expect(await right(store.get('things', 1, 'a'))).to.include({ version: 1 })
    await right(
      changes.replace('things', 1, { id: 'a', unique: null, version: 1, value: { title: 'after' } }),
    )
  })

  it('what a transaction has written is not seen before its commit', async () => {
    const { changes } = await open()
    const other = await open()
    await right(changes.insert('things', 1, { id: 'a', unique: null, value: { title: 'before' } }))
    const table = await tableIn('things')
    await withDriver(url, async (client) => {
      await client.query('BEGIN')
      await client.query(`UPDATE "${table}" SET light = '{"title":"dirty"}'`)
      expect((await right(other.store.get('things', 1, 'a')))?.value).to.deep.equal({ title: 'before' })
      await client.query('ROLLBACK')
    })
  })

  it('opened by eight processes at once on an empty database', async () => {
    const stores = await Promise.all(Array.from({ length: 8 }, () => open()))
    await Promise.all(
      stores.map(({ changes }, i) =>
        right(changes.insert('things', 1, { id: `${i}`, unique: null, value: {} })),
      ),
    )
    const [first] = stores
    expect((await right(first?.store.find('things', 1, all) ?? expect.fail())).documents).to.have.lengthOf(8)
  })

  it('a migration under writers of the older version: none of their acknowledged writes is lost', async () => {
    const older = await open()
    const acknowledged: string[] = []
    let failed = false
    const writer = (async () => {
      for (let i = 0; !failed; i++) {
        const outcome = await older.changes.insert('things', 1, {
          id: `${i}`,
          unique: null,
          value: { kind: 'x' },
        })()
        if (E.isRight(outcome)) acknowledged.push(`${i}`)
        else failed = true
      }
    })()
    await until(() => acknowledged.length > 50)
    const progress: number[] = []
    const newer = await open({
      collections: [
        { ...things, keys: { ...things.keys, kind: 'text' }, indexes: [...things.indexes, ['kind']] },
      ],
      onMigration: ({ done }) => progress.push(done),
    })
    await writer
    expect(progress.at(-1)).to.equal(acknowledged.length)
    const page = await right(newer.store.find('things', 1, { ...all, where: [{ key: 'kind', equals: 'x' }] }))
    expect(page.documents.map(({ id }) => id)).to.deep.equal(acknowledged.slice(0, 1000))
  })

  it('a standby is neither read nor written, until it is the primary', async () => {
    const { store, changes } = await open()
    await right(changes.insert('things', 1, { id: 'a', unique: null, value: {} }))
    await server.stop()
    await server.startAsStandby()
    for (const call of [store.get('things', 1, 'a'), changes.remove('things', 1, 'a', 1), store.check()]) {
      const outcome = await call()
      expect(E.isLeft(outcome) && outcome.left).to.include({ _tag: 'PortFailure' })
      expect(E.isLeft(outcome) && outcome.left).not.to.have.property('mayYetApply')
    }
    await server.promote()
    await until(async () => E.isRight(await store.check()()))
    await right(changes.remove('things', 1, 'a', 1))
  })

  it('a transaction that stays open delays the documents in commit order, but not those of an object', async () => {
    const { store } = await open({ collections: [things, log] })
    const find = async (order: Query['order']) =>
      (
        await right(store.find('log', 1, { ...all, where: [{ key: 'object', equals: 'a' }], order }))
      ).documents.map(({ id }) => id)
    await withDriver(url, async (client) => {
      await client.query('BEGIN')
      await client.query('SELECT pg_current_xact_id()')
      const record = { id: 'r', unique: null, value: { object: 'a' }, position: { atLeast: 1 } }
      await right(store.write(1, [], [{ collection: 'log', instance: 1, document: record }]))
      expect(await find([{ key: 'object', direction: 'desc' }])).to.deep.equal(['r'])
      expect(await find([])).to.deep.equal([])
      await client.query('ROLLBACK')
    })
    expect(await find([])).to.deep.equal(['r'])
  })

  it('an appended document whose position is taken gets another one', async () => {
    const { store } = await open({ collections: [things, log] })
    const table = await tableIn('log')
    // The positions of the next transactions.
    await withDriver(url, (client) =>
      client.query(
        `INSERT INTO ${table} (position, instance, id, version, light, k0_object) SELECT (SELECT base FROM publishing_positions) + (pg_current_xact_id()::text::bigint + n) * 4096, 2, convert_to('taken ' || n, 'UTF8'), 1, '{}', '' FROM generate_series(1, 3) AS n`,
      ),
    )
    const document = { id: 'a', unique: null, value: {}, position: ++positions }
    const record = { id: 'r', unique: null, value: { title: 'appended' }, position: { atLeast: 1 } }
    await right(
      store.write(
        1,
        [{ collection: 'things', kind: 'insert', document }],
        [{ collection: 'log', instance: 1, document: record }],
      ),
    )
    expect((await right(store.get('log', 1, 'r')))?.value).to.deep.equal({ title: 'appended' })
    expect((await right(store.get('things', 1, 'a')))?.version).to.equal(1)
  })

  it('other processes are notified of changes, and that they may have missed some', async () => {
    const connection = await unreliableConnection(server.address)
    const seen: string[] = []
    let missed = 0
    const foreignChanges = {
      onChange: (collection: string, instance: number) => seen.push(`${collection} ${instance}`),
      onMissed: () => (missed += 1),
    }
    await open({ url: server.url(database, connection.address), foreignChanges })
    const own: string[] = []
    const { store, changes } = await open({
      foreignChanges: { onChange: (collection) => own.push(collection), onMissed: () => undefined },
    })
    await right(changes.insert('things', 7, { id: 'a', unique: null, value: {} }))
    await until(() => seen.length === 1)
    expect(E.isLeft(await changes.insert('things', 7, { id: 'a', unique: null, value: {} })())).to.equal(true)
    connection.cut()
    await right(changes.remove('things', 7, 'a', 1))
    connection.restore()
    await until(() => missed === 1)
    await right(changes.insert('things', 8, { id: 'b', unique: null, value: {} }))
    await until(() => seen.length === 2)
    const written = right(changes.insert('things', 9, { id: 'b', unique: null, value: {} }))
    await Promise.all([written, store.close()])
    await until(() => seen.length === 3)
    expect([seen, own]).to.deep.equal([['things 7', 'things 8', 'things 9'], []])
    await Promise.all(opened.splice(0).map((each) => each.close()))
    await connection.close()
  })
})
