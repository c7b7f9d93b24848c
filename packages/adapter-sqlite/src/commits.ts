/**
 * What each commit has changed, as rows of the file, by which processes learn what others have written. The latest are retained.
 */
import type { ForeignChanges } from '@publishing-service/sql-kit'
import type { Database } from './better-sqlite3.js'
import { sqliteFailure } from './sqlite-failure.js'

/** Creates the table of a file that has none, because it is new or of an earlier release. */
export const commitsTable =
  'CREATE TABLE IF NOT EXISTS commits (number INTEGER PRIMARY KEY, changed TEXT NOT NULL)'

/** Commits that are retained, at least, and how many are removed together. */
const [retained, removedTogether] = [1000, 256]

/** A collection of an instance that a commit has changed. */
type Changed = readonly [instance: number, collection: string]

/** Returns the function that adds a row to the transaction of a commit. */
export const commitRecorder = (database: Database): ((changed: readonly Changed[]) => void) => {
  const add = database.prepare<[string]>('INSERT INTO commits (changed) VALUES (?)')
  const prune = database.prepare<[number]>('DELETE FROM commits WHERE number <= ?')
  return (changed) => {
    if (changed.length === 0) return
    const distinct = new Map(changed.map((each) => [each.join(' '), each]))
    const number = Number(add.run(JSON.stringify([...distinct.values()])).lastInsertRowid)
    if (number % removedTogether === 0) prune.run(number - retained)
  }
}

/**
 * Returns the function that reports all commits since its last call, those of this process included. It takes one or two
 * microseconds if there was none.
 */
export const commitReader = (database: Database, { onChange, onMissed }: ForeignChanges): (() => void) => {
  const version = database.prepare<[], number>('PRAGMA data_version').pluck()
  const last = database.prepare<[], number>('SELECT coalesce(max(number), 0) FROM commits').pluck()
  const since = database.prepare<[number], [number, string]>(
    'SELECT number, changed FROM commits WHERE number > ? ORDER BY number',
  )
  since.raw()
  let [seenVersion, seen] = [version.get(), last.get() ?? 0]
  const read = (): void => {
    const current = version.get()
    if (current === seenVersion) return
    const commits = since.all(seen)
    // Without a row, the commit changed no documents, or it is of an earlier release.
    seenVersion = current
    const [first] = commits
    if (first === undefined) return
    if (first[0] !== seen + 1) onMissed()
    else
      for (const [, changed] of commits)
        for (const [instance, collection] of JSON.parse(changed) as readonly Changed[])
          onChange(collection, instance)
    seen = commits.at(-1)?.[0] ?? seen
  }
  return () => {
    try {
      if (database.open) read()
    } catch (error) {
      if (sqliteFailure(error) === null) throw error
      onMissed()
    }
  }
}
