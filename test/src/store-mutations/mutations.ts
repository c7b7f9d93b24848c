/**
 * Mistakes that a team could make in a document store on SQL, as changes of the compiled SQL kit and its adapters.
 * The suite of the port must find each of them, except those that nobody can observe.
 */

export type Edit = {
  readonly file: string
  /** It is there exactly once. */
  readonly text: string
  readonly replacement: string
}

/** Applies an edit to the text of its file. Throws if it does not fit, so that the mutations follow the stores. */
export const edited = (text: string, { file, text: old, replacement }: Edit): string => {
  const parts = text.split(old)
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times, and not once: ${old}`)
  return parts.join(replacement)
}

export type Mutation = {
  readonly kind: string
  readonly name: string
  readonly edits: readonly Edit[]
  /** Why no call of the store shows it; null if the suite must find it. */
  readonly unobservable: string | null
}

const keyBytes = 'sql-kit/dist/statement.js'
const entries = 'sql-kit/dist/entries.js'
const conditions = 'sql-kit/dist/condition-sql.js'
const reads = 'sql-kit/dist/read-steps.js'
const writes = 'sql-kit/dist/write-steps.js'
const lockOrder = 'sql-kit/dist/lock-order.js'
const counts = 'sql-kit/dist/count-steps.js'
const migration = 'sql-kit/dist/migrate-steps.js'
const store = 'sql-kit/dist/sql-document-store.js'
const uses = 'sql-kit/dist/server-uses.js'
const commonDialect = 'sql-kit/dist/dialect.js'
const postgresqlDialect = 'adapter-postgresql/dist/postgresql-dialect.js'
const postgresqlStore = 'adapter-postgresql/dist/postgresql-document-store.js'
const connections = 'adapter-postgresql/dist/connections.js'
const failures = 'adapter-postgresql/dist/postgresql-failure.js'
const words = 'adapter-postgresql/dist/postgresql-words.js'
const sqliteBatches = 'adapter-sqlite/dist/apply-batch.js'

const edit = (file: string, text: string, replacement: string): Edit => ({ file, text, replacement })

type Variant = Pick<Mutation, 'name' | 'edits' | 'unobservable'>

const variant = (name: string, ...edits: readonly Edit[]): Variant => ({ name, edits, unobservable: null })

const unobservable = (name: string, reason: string, ...edits: readonly Edit[]): Variant => ({
  name,
  edits,
  unobservable: reason,
})

/** An expression for what a store makes of the text of an expression before it stores or compares it. */
type Made = (text: string) => string

const inKeys = (made: Made): Variant =>
  variant('keys', edit(keyBytes, 'return textBytes(value)', `return textBytes(${made('value')})`))

const inUniqueTexts = (made: Made): Variant =>
  variant(
    'unique texts',
    edit(
      store,
      'unique: unique?.toWellFormed() ?? null',
      `unique: unique === null ? null : ${made('unique.toWellFormed()')}`,
    ),
  )

const inListTexts = (made: Made): Variant =>
  variant(
    'texts of lists',
    edit(
      entries,
      'textsUnder(value, key)',
      `[...new Set(textsUnder(value, key).map((text) => ${made('text')}))]`,
    ),
    edit(conditions, 'textBytes(condition.text)', `textBytes(${made('condition.text')})`),
    edit(reads, 'textBytes(list.text)', `textBytes(${made('list.text')})`),
  )

const inIds = (made: Made): Variant =>
  variant(
    'ids',
    edit(store, 'id: id.toWellFormed()', `id: ${made('id.toWellFormed()')}`),
    edit(store, 'id: change.id.toWellFormed()', `id: ${made('change.id.toWellFormed()')}`),
    edit(conditions, 'nameParameter(id.toWellFormed())', `nameParameter(${made('id.toWellFormed()')})`),
  )

const inLowerCase: Made = (text) => `${text}.toLowerCase()`
const withoutSpacesAfter: Made = (text) => `${text}.replace(/ +$/, '')`
const composed: Made = (text) => `${text}.normalize('NFC')`
const cutAt =
  (bytes: number): Made =>
  (text) =>
    `Buffer.from(${text}).subarray(0, ${bytes}).toString()`

const beginning = "begin: 'BEGIN ISOLATION LEVEL READ COMMITTED'"
const insertedAt = 'insert({ collection, instance, document: requested.document }, done)'
const synchronousCommit = "= 'off' THEN set_config('synchronous_commit', 'on', false)"

const kinds: Readonly<Record<string, readonly Variant[]>> = {
  'Letter case is ignored': [
    inKeys(inLowerCase),
    inUniqueTexts(inLowerCase),
    inIds(inLowerCase),
    inListTexts(inLowerCase),
  ],
  'Trailing spaces are ignored': [
    inKeys(withoutSpacesAfter),
    inUniqueTexts(withoutSpacesAfter),
    inListTexts(withoutSpacesAfter),
    inIds(withoutSpacesAfter),
  ],
  'Long texts are cut': [
    inKeys(cutAt(1020)),
    inUniqueTexts(cutAt(767)),
    inListTexts(cutAt(767)),
    variant(
      'sorted by 512 bytes',
      edit(
        reads,
        'sql: column(columnOf(this.#layout, key).column)',
        'sql: `substring(${column(columnOf(this.#layout, key).column)} FROM 1 FOR 512)`',
      ),
    ),
  ],
  'Acknowledged writes are not durable': [
    variant(
      'success is returned before the commit',
      edit(
        uses,
        'const execute = (each) => driver.execute(connection, each)',
        `const execute = (each) => {
          const result = driver.execute(connection, each)
          if (each !== commit) return result
          result.catch(() => undefined)
          return Promise.resolve({ rows: [], changes: 0 })
        }`,
      ),
    ),
    variant(
      'synchronous_commit is off',
      edit(connections, synchronousCommit, "= 'on' THEN set_config('synchronous_commit', 'off', false)"),
    ),
    unobservable(
      'synchronous_commit is local',
      'It differs from on only if a server with a synchronous standby loses its disk.',
      edit(connections, synchronousCommit, "= 'on' THEN set_config('synchronous_commit', 'local', false)"),
    ),
  ],
  'An update is lost': [
    variant(
      'the read before a write locks nothing',
      edit(postgresqlDialect, "lockRow: ' FOR UPDATE'", "lockRow: ''"),
    ),
    variant(
      'a remove ignores the version',
      edit(
        writes,
        'yield* this.#stored(layout, instance, id, version, null)',
        'yield* this.#stored(layout, instance, id, null, null)',
      ),
      edit(writes, 'Number(row[1]) !== version', '(version !== null && Number(row[1]) !== version)'),
    ),
  ],
  'A write is not atomic': [
    variant('no transaction', edit(postgresqlStore, beginning, "begin: 'SELECT 1'")),
    variant(
      'counts are written after the commit',
      edit(
        writes,
        'yield* this.#append(each, done)',
        `yield* this.#append(each, done)
        for (const sql of ['COMMIT', 'BEGIN']) yield { sql, parameters: [] }`,
      ),
    ),
  ],
  'Several changes': [
    variant(
      'an expected document may change before the commit',
      edit(postgresqlDialect, "shareRow: ' FOR SHARE'", "shareRow: ''"),
    ),
    variant('the expected version is not compared', edit(writes, 'found !== version)', 'false)')),
    variant(
      'what must not be selected is not looked for',
      edit(
        writes,
        "(yield* this.#countOf(layout)(instance, requested.selection, 1)) === 0 ? 0 : 'version'",
        '0',
      ),
    ),
    variant(
      'what must not be selected is looked for first',
      edit(
        lockOrder,
        "'expect none')\n            groups.push({ changed: change });",
        "'expect none')\n            groups.unshift({ changed: change });",
      ),
    ),
    variant(
      'documents are locked in the sequence of the changes',
      edit(lockOrder, '(a.key < b.key ? -1 : 1)', '0'),
    ),
    variant(
      'a conflict leaves the changes before it',
      edit(
        postgresqlStore,
        "const isWritten = (outcome) => 'positions' in outcome",
        'const isWritten = () => true',
      ),
    ),
    variant(
      'a conflict leaves the changes before it in SQLite',
      edit(sqliteBatches, 'throw new RolledBack(outcome)', 'return outcome'),
    ),
  ],
  'Reads show uncommitted writes': [
    unobservable(
      'READ UNCOMMITTED',
      'PostgreSQL treats it as READ COMMITTED.',
      edit(postgresqlStore, beginning, "begin: 'BEGIN ISOLATION LEVEL READ UNCOMMITTED'"),
    ),
  ],
  'A transaction does not see later commits': [
    unobservable(
      'REPEATABLE READ',
      'PostgreSQL fails a transaction that would need them, and it is repeated.',
      edit(postgresqlStore, beginning, "begin: 'BEGIN ISOLATION LEVEL REPEATABLE READ'"),
    ),
  ],
  'Pages drift': [
    variant(
      'equal documents are skipped',
      edit(
        reads,
        'const place = placeIn(after, page.order.length)',
        `const found = placeIn(after, page.order.length)
        const place = page.order.length === 0 ? found : { ...found, position: page.ties === 'asc' ? Number.MAX_SAFE_INTEGER : 0 }`,
      ),
    ),
    variant(
      'equal documents ascend in a descending order',
      edit(
        reads,
        '{ sql: position, direction: page.ties }',
        "{ sql: position, direction: page.order.length === 0 ? page.ties : 'asc' }",
      ),
    ),
    variant(
      'a cursor is an offset',
      edit(
        reads,
        'const [limit, { skip }] = [query.limit + 1, query]',
        `const limit = query.limit + 1
        const skip = query.skip + (query.after === undefined ? 0 : placeIn(query.after, order.length).position)`,
      ),
      edit(
        reads,
        'const { position, list } = access',
        'const { position, list } = access; after = undefined',
      ),
      edit(reads, 'pageOf(query, keys, rows)', 'pageOf({ ...query, skip }, keys, rows)'),
      edit(reads, '{ limit, bytes: maxBytes = Infinity }', '{ limit, skip, bytes: maxBytes = Infinity }'),
      edit(reads, 'position: last.position }', 'position: skip + documents.length }'),
    ),
  ],
  'Absent values': [
    variant(
      'they sort last',
      edit(keyBytes, 'const absent = new Uint8Array()', 'const absent = Uint8Array.of(0xff)'),
    ),
    variant(
      'the empty text is another value',
      edit(keyBytes, 'const absent = new Uint8Array()', 'const absent = Uint8Array.of(0, 0)'),
      edit(
        entries,
        'keyBytes(keyValue(type, value, key))',
        "keyBytes(value[key] === '' ? '' : keyValue(type, value, key))",
      ),
    ),
  ],
  Numbers: [
    variant(
      'as text',
      edit(keyBytes, 'numberBytes(value) : booleans', 'textBytes(String(value)) : booleans'),
    ),
    variant('negative ones in reverse', edit(keyBytes, 'if (value < 0)', 'if (false)')),
    variant(
      'in 32 bits',
      edit(keyBytes, 'view.setFloat64(0, value)', 'view.setFloat64(0, Math.fround(value))'),
    ),
    variant(
      'as integers',
      edit(keyBytes, 'view.setFloat64(0, value)', 'view.setFloat64(0, Math.trunc(value))'),
    ),
  ],
  'A deadlock fails a write': [
    variant('it is not repeated', edit(failures, "'40P01', ", '')),
    variant(
      'what was sent behind it is committed',
      edit(
        uses,
        'const execute = (each) => driver.execute(connection, each)',
        `const sent = []
        const execute = (each) => {
          const result = driver.execute(connection, each)
          sent.push([each, result])
          return result
        }`,
      ),
      edit(
        uses,
        "const isEnded = errorsEndTransactions === 'all' && use.isCommitting",
        `const outcomes = await Promise.allSettled(sent.map(([, result]) => result))
            const failed = outcomes.findIndex(({ status }) => status === 'rejected')
            if (failureOf(error)?.is === 'retry') {
              await driver.execute(connection, rollback)
              for (const [each] of sent.slice(failed + 1))
                if (each !== commit && each !== rollback) await driver.execute(connection, each)
            }
            const isEnded = errorsEndTransactions === 'all' && use.isCommitting`,
      ),
    ),
  ],
  'Appended documents': [
    variant(
      'their version is ignored',
      edit(
        store,
        'const { position, version = 1 } = each.document',
        'const { position } = each.document, version = 1',
      ),
    ),
    variant(
      'those of more than 32 KiB are left out',
      edit(store, 'inserted.push({', 'if (made.right.bytes <= 32_768) inserted.push({'),
    ),
  ],
  'Commit order': [
    variant(
      'documents are found before older transactions have ended',
      edit(
        postgresqlDialect,
        "settled: firstPosition('pg_snapshot_xmin(pg_current_snapshot())')",
        "settled: '9007199254740991'",
      ),
    ),
  ],
  'A connection is lost': [
    variant(
      'the error of the driver is thrown',
      edit(failures, "return { is: 'lost', failure: portFailure(part, error) }", 'return null'),
    ),
    variant(
      'mayYetApply is never set',
      edit(uses, "const isUnknown = found.is === 'lost' && use.isCommitting", 'const isUnknown = false'),
    ),
    variant(
      'mayYetApply is always set',
      edit(uses, "const isUnknown = found.is === 'lost' && use.isCommitting", 'const isUnknown = true'),
    ),
    variant('no deadline', edit(uses, '}, deadline);', '}, 2 ** 31 - 1);')),
    variant(
      'a broken connection is used again',
      edit(connections, 'client.release(isBroken || (', 'client.release(('),
      edit(connections, 'client.connection.stream.destroy()', 'undefined'),
    ),
  ],
  'Normal forms are equal': [
    inKeys(composed),
    variant(
      'documents',
      edit(
        store,
        'documentText(value, layout.heavy)',
        `documentText(JSON.parse(${composed('JSON.stringify(value)')}), layout.heavy)`,
      ),
    ),
    inUniqueTexts(composed),
    inListTexts(composed),
  ],
  'Documents are cut': [
    variant(
      'light ones at 64 KiB',
      edit(store, '?? null, light, heavy }', '?? null, light: light.slice(0, 65_536), heavy }'),
    ),
    variant(
      'heavy ones at 1 MiB by a replace',
      edit(
        writes,
        '`${name} = ${parameters.add(column)}`',
        "`${name} = ${parameters.add(name === 'heavy' && column !== null ? column.slice(0, 1_048_576) : column)}`",
      ),
    ),
  ],
  'Group counts': [
    variant(
      'read, then written',
      edit(
        commonDialect,
        'SET documents = ${table}.documents + excluded.documents',
        "SET documents = excluded.documents + coalesce((SELECT c.documents FROM ${table} AS c WHERE (${key}) = (${key.split(', ').map((each) => `excluded.${each}`).join(', ')})), 0)",
      ),
    ),
    variant('not lowered', edit(counts, 'documents: -1', 'documents: 0')),
  ],
  'Entries of earlier values stay': [
    variant(
      'words after a replace',
      edit(
        words,
        'SET tokens = excluded.tokens',
        'SET tokens = ${tableOf(layout)}.tokens || excluded.tokens',
      ),
    ),
    unobservable(
      'words after a removal',
      'A search joins the documents, and the next document at the position replaces the words.',
      edit(words, 'WHERE position = $1`', 'WHERE position = $1 AND FALSE`'),
    ),
    variant(
      'texts of lists after a removal',
      edit(writes, 'yield* this.#changeLists(target, entries, null);', ''),
    ),
  ],
  Positions: [
    variant(
      'in the sequence in which writes arrive',
      edit(
        writes,
        insertedAt,
        `insert({
          collection,
          instance,
          document: {
            ...requested.document,
            position: Number((yield this.#rows.statement(() => 'SELECT pg_current_xact_id()::text')).rows[0][0]),
          },
        }, done)`,
      ),
    ),
    variant(
      'from blocks of each store',
      edit(
        writes,
        'export class WriteSteps {',
        `let blocks = 0
        export class WriteSteps {
          #position = (blocks += 1000)`,
      ),
      edit(
        writes,
        insertedAt,
        'insert({ collection, instance, document: { ...requested.document, position: ++this.#position } }, done)',
      ),
    ),
  ],
  'Processes and statements': [
    variant(
      'an older process writes to its tables after a migration',
      edit(migration, 'yield* drop(found)', 'yield* []'),
    ),
    variant(
      'a page is read in two statements',
      edit(
        reads,
        'return yield* this.#pageOf(query, keys, rows)',
        `const read = yield* this.#pageOf(query, keys, rows)
        const documents = []
        for (const each of read.documents) documents.push((yield* this.get(instance, each.id)) ?? each)
        return { ...read, documents }`,
      ),
    ),
  ],
}

export const mutations: readonly Mutation[] = Object.entries(kinds).flatMap(([kind, variants]) =>
  variants.map((each) => ({ kind, ...each })),
)
