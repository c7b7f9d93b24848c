/**
 * The counter's thread. A count can read an index of all documents, which takes a tenth of a second for 100 000 of them, and
 * SQLite returns nothing until it has ended. Reads of single documents and pages take less than the way to a thread.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { Database } from './better-sqlite3.js'
import { layoutsOf, sqlDocumentStore } from '@publishing-service/sql-kit'
import type { Call, Counted, CounterSettings, FromCounter, ToCounter } from './counter-messages.js'
import { lockTimeout } from './open-connection.js'
import { snapshotReader, sqliteDialect } from './sqlite-dialect.js'
import { sqliteWords } from './sqlite-words.js'

const port = parentPort
if (port === null) throw new Error('The counter runs as a worker thread only')
const { file, collections, sendsStatements } = workerData as CounterSettings

const send = (message: FromCounter): void => port.postMessage(message)

const dialect = sqliteDialect(sqliteWords())
const database = new Database(file, { readonly: true, fileMustExist: true, timeout: lockTimeout })
const { count, countTexts } = sqlDocumentStore(
  { layouts: layoutsOf(collections, dialect), dialect, largestDocument: 0 },
  {
    read: snapshotReader(database, sendsStatements ? (statement) => send({ statement }) : undefined),
    write: () => {
      throw new Error('The counter does not write')
    },
  },
)

const counted = async (call: Call): Promise<Counted> =>
  call.name === 'count'
    ? { name: 'count', outcome: await count(...call.parameters)() }
    : { name: 'countTexts', outcome: await countTexts(...call.parameters)() }

port.on('message', (call: ToCounter) => {
  void counted(call).then((result) => send({ id: call.id, ...result }))
})
