import { join } from 'node:path'
import { expect } from 'chai'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { Database } from './better-sqlite3.js'
import { temporaryFolders } from './test-support/fixture.js'
import { writeTurns } from './write-turns.js'

describe('turns of processes that write to one file', () => {
  const folder = temporaryFolders()
  let one: Database
  let other: Database
  beforeEach(async () => {
    const file = join(await folder(), 'turns.sqlite')
    const open = (): Database => {
      const database = new Database(file)
      database.pragma('journal_mode = WAL')
      return database
    }
    one = open()
    one.exec('CREATE TABLE things (id INTEGER PRIMARY KEY)')
    other = open()
  })
  afterEach(() => {
    one.close()
    other.close()
  })

  /** Whether a wait has looked at the lock, which the other connection has. */
  const waits = ({ wait }: { readonly wait: () => void }): boolean => {
    other.exec('BEGIN IMMEDIATE')
    const began = performance.now()
    wait()
    const waited = performance.now() - began
    other.exec('ROLLBACK')
    // It waits for half a second at most.
    return waited > 400
  }

  it('are none where one alone writes', () => {
    const turns = writeTurns(one, 5000)
    one.exec('INSERT INTO things DEFAULT VALUES')
    turns.ended()
    expect(waits(turns)).to.equal(false)
  })

  it('begin when another one has written: the lock is waited for, for a while, and then left to SQLite', () => {
    const turns = writeTurns(one, 5000)
    other.exec('INSERT INTO things DEFAULT VALUES')
    expect(waits(turns)).to.equal(true)
    expect(one.pragma('busy_timeout', { simple: true })).to.equal(5000)
    // Nothing is left open.
    expect(one.inTransaction).to.equal(false)
    one.exec('INSERT INTO things DEFAULT VALUES')
    other.exec('INSERT INTO things DEFAULT VALUES')
  })

  it('end at once where the file is not locked', () => {
    const turns = writeTurns(one, 5000)
    other.exec('INSERT INTO things DEFAULT VALUES')
    turns.wait()
    one.exec('INSERT INTO things DEFAULT VALUES')
    expect(one.prepare('SELECT count(*) FROM things').pluck().get()).to.equal(2)
  })
})
