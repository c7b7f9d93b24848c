import { once } from 'node:events'
import { createServer } from 'node:net'
import { changes, expectExamined, soon } from '@publishing-service/conformance'
import { E } from '@publishing-service/domain/fp'
import { layoutNamed, layoutsOf } from '@publishing-service/sql-kit'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { openConnections } from './connections.js'
import { examinePostgresqlDatabase } from './examine-database.js'
import { describePostgresqlDatabase, withoutCredentials } from './open-database.js'
import { postgresqlDialect } from './postgresql-dialect.js'
import { postgresqlDocumentStore } from './postgresql-document-store.js'
import { newDatabase, right, things, withDriver } from './test-support/database.js'
import { type PostgresqlServer, startPgbouncer, startPostgresql } from './test-support/servers.js'

const secret = 'hidden-word'

describe('postgresqlDocumentStore, when it is opened', function () {
  this.timeout(60_000)
  let server: PostgresqlServer
  before(async () => {
    server = await startPostgresql()
  })
  after(() => server.dispose())

  /** The message of the Error that opening rejects with. */
  const refusal = async (url: string): Promise<string> => {
    const start = performance.now()
    const message = await postgresqlDocumentStore({ url, collections: [things] }).then(
      () => expect.fail('it was opened'),
      (error: unknown) => (error instanceof Error ? error.message : expect.fail(String(error))),
    )
    expect(performance.now() - start, 'milliseconds until it gave up').to.be.below(10_000)
    expect(message).not.to.include(secret)
    expect(message).to.include("can't be opened")
    return message
  }

  it('reports an invalid connection string, without its secret', async () => {
    expect(await refusal(`mongodb://user:${secret}@127.0.0.1/x`)).to.include('postgresql://')
    await refusal(`postgresql://user:${secret}@127.0.0.1:99999999/x`)
    for (const sign of ['/', '?', '#', '@', '%', '%zz', ':', '%2F'])
      await refusal(`postgresql://user:a${sign}${secret}@127.0.0.1:1/x`)
  })

  it('reports a server that does not listen, does not respond, or is unknown', async () => {
    expect(await refusal(`postgresql://user:${secret}@127.0.0.1:1/x`)).to.include('ECONNREFUSED')
    expect(await refusal(`postgresql://user:${secret}@no-such-host.invalid/x`)).to.include('no-such-host')
    const silent = createServer((socket) => socket.on('error', () => socket.destroy())).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const address = silent.address()
    const port = typeof address === 'object' ? address?.port : 0
    expect(await refusal(`postgresql://user:${secret}@127.0.0.1:${port}/x`)).to.include(`127.0.0.1:${port}`)
    silent.close()
  })

  it('reports a missing user, a missing database and missing rights', async () => {
    const database = await newDatabase(server)
    const as = (user: string, name = database) => server.url(name).replace('postgres@', `${user}:${secret}@`)
    expect(await refusal(as('nobody'))).to.include('does not admit this user')
    expect(await refusal(as('postgres', 'missing'))).to.include('no such database')
    await withDriver(server.url(database), (client) => client.query('CREATE USER reader'))
    expect(await refusal(as('reader'))).to.include('CREATE')
  })

  it('reports an encoding that does not have all characters', async () => {
    await withDriver(server.url('postgres'), (client) =>
      client.query("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0"),
    )
    expect(await refusal(server.url('latin'))).to.include('UTF8')
  })

  it('works through PgBouncer as it comes, and the server ends what a lost process has begun', async () => {
    const database = await newDatabase(server)
    const pooler = await startPgbouncer(server, 'session')
    const url = server.url(database, pooler.address)
    const foreignChanges = { onChange: () => undefined, onMissed: () => undefined }
    const store = await postgresqlDocumentStore({
      url,
      collections: [things],
      deadline: 1000,
      foreignChanges,
    })
    try {
      const document = { id: 'a', unique: null, value: { title: 'a' } }
      await right(changes(store).insert(things.name, 1, document))
      expect((await right(store.get(things.name, 1, 'a')))?.value).to.deep.equal(document.value)
      const { table } = layoutNamed(layoutsOf([things], postgresqlDialect), things.name)
      await withDriver(server.url(database), async (client) => {
        await client.query('BEGIN')
        await client.query(`LOCK TABLE "${table}" IN EXCLUSIVE MODE`)
        expect(E.isLeft(await changes(store).remove(things.name, 1, 'a', 1)())).to.equal(true)
        await soon(async () => {
          const { rows } = await client.query(
            "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
          )
          expect(rows, 'transactions that wait for the lock').to.deep.equal([])
        })
        await client.query('ROLLBACK')
      })
    } finally {
      await store.close()
      await pooler.dispose()
    }
  })

  it('reports a pooler that gives each transaction another connection', async () => {
    const database = await newDatabase(server)
    const pooler = await startPgbouncer(server, 'transaction')
    try {
      const url = server.url(database, pooler.address)
      for (let attempt = 0; attempt < 3; attempt += 1)
        expect(await refusal(url)).to.include('pool_mode = session of PgBouncer')
    } finally {
      await pooler.dispose()
    }
  })

  it('keeps the time limits that the connection string sets', async () => {
    const database = await newDatabase(server)
    const timeout = async (url: string): Promise<unknown> => {
      const connections = openConnections(url, 1000)
      const client = await connections.connect()
      const { rows } = await connections.execute(client, {
        sql: "SELECT current_setting('statement_timeout')",
        parameters: [],
      })
      connections.release(client, false)
      await connections.close()
      return rows[0]?.[0]
    }
    expect(await timeout(server.url(database))).to.equal('1s')
    expect(await timeout(`${server.url(database)}?statement_timeout=7000`)).to.equal('7s')
  })

  it('compresses long texts by LZ4 if the server has it, unless the operator has chosen another method', async () => {
    const database = await newDatabase(server)
    const url = server.url(database)
    const compression = async (id: string): Promise<unknown> => {
      const store = await postgresqlDocumentStore({ url, collections: [things] })
      const document = { id, unique: null, value: { title: id, content: 'long text '.repeat(10_000) } }
      await right(changes(store).insert(things.name, 1, document))
      await store.close()
      const { table } = layoutNamed(layoutsOf([things], postgresqlDialect), things.name)
      return withDriver(url, async (client) => {
        const sql = `SELECT pg_column_compression(heavy) AS method FROM "${table}" ORDER BY position DESC LIMIT 1`
        return (await client.query<{ method: string }>(sql)).rows[0]?.method
      })
    }
    const methods = await withDriver(url, (client) =>
      client.query<{ enumvals: readonly string[] }>(
        "SELECT enumvals FROM pg_settings WHERE name = 'default_toast_compression'",
      ),
    )
    expect(await compression('a')).to.equal(methods.rows[0]?.enumvals.includes('lz4') ? 'lz4' : 'pglz')
    await withDriver(url, (client) =>
      client.query(`ALTER DATABASE "${database}" SET default_toast_compression = 'pglz'`),
    )
    expect(await compression('b')).to.equal('pglz')
  })

  it('shows where it is without secrets', () => {
    expect(
      withoutCredentials(`postgresql://user:a@b@${secret}@db.example.org:5432/news?sslmode=require`),
    ).to.equal('postgresql://db.example.org:5432/news')
  })

  it('gives higher positions than before in a database that was restored into a new cluster', async () => {
    const database = await newDatabase(server)
    const log = { ...things, inCommitOrder: true } as const
    const insert = async (id: string): Promise<number> => {
      const store = await postgresqlDocumentStore({ url: server.url(database), collections: [log] })
      const document = { id, position: { atLeast: 1 }, unique: null, value: {} }
      const [written] = await right(store.write(1, [{ collection: 'things', kind: 'insert', document }], []))
      await store.close()
      return written?.position ?? expect.fail('nothing was written')
    }
    const first = await insert('a')
    expect(await insert('b')).to.be.above(first)
    // Transactions are counted from the beginning.
    await withDriver(server.url(database), (client) =>
      client.query('UPDATE publishing_positions SET base = base - 1000000000'),
    )
    expect(await insert('c')).to.be.above(first + 1)
    const next = await insert('d')
    expect(next).to.be.below(first + 1_000_000_000)
  })

  it('is described before, and the description changes nothing', async () => {
    const url = server.url(await newDatabase(server))
    const describedNow = async () => {
      const { server: name, isTested, time, schema } = await describePostgresqlDatabase(url, [things])
      expect(name).to.match(/^PostgreSQL \d+/)
      expect(isTested).to.equal(true)
      expect(Math.abs((time ?? 0) - Date.now())).to.be.below(60_000)
      return schema
    }
    expect([await describedNow(), await describedNow()]).to.deep.equal(['empty', 'empty'])
    await (await postgresqlDocumentStore({ url, collections: [things] })).close()
    expect(await describedNow()).to.equal('current')
    await withDriver(url, (client) => client.query(`UPDATE publishing_layouts SET indexes = '{}'`))
    expect([await describedNow(), await describedNow()]).to.deep.equal(['outdated', 'outdated'])
  })

  it('is examined before: what opening does with each collection, and its documents, without a change', async () => {
    const url = server.url(await newDatabase(server))
    await expectExamined({
      open: (declared) => postgresqlDocumentStore({ url, collections: declared }),
      examine: (declared, read) => examinePostgresqlDatabase({ url, collections: declared }, read),
    })
  })
})
