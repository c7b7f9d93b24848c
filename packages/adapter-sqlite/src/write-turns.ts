/**
 * Has processes that write to one file at once take turns. By SQLite alone, one that waits sleeps longer each time that it finds
 * the file locked, while the other commits and begins again at once; and what it receives meanwhile is not in its transaction.
 */
import type { Database } from './better-sqlite3.js'
import { sqliteCode } from './sqlite-failure.js'

/** For so many milliseconds after a commit of another process, the file is believed to be shared. */
const remembered = 1000
/** Milliseconds between two looks whether the file is locked: at first, and at most. Each costs some microseconds. */
const [shortest, longestPause] = [0.25, 1]
/** Milliseconds for which a process that has committed lets others begin: they look meanwhile. */
const yielded = longestPause
/** The most milliseconds of a wait. Then SQLite waits. */
const longest = 500

const cell = new Int32Array(new SharedArrayBuffer(4))
const sleep = (milliseconds: number): void => void Atomics.wait(cell, 0, 0, milliseconds)

export type WriteTurns = {
  /** Blocks the thread until the file is not locked, if other processes write too. Returns at once if none has for a second. */
  readonly wait: () => void
  /** This process has committed. */
  readonly ended: () => void
}

export const writeTurns = (database: Database, busyTimeout: number): WriteTurns => {
  const version = database.prepare<[], number>('PRAGMA data_version').pluck()
  let seen = version.get()
  let othersWrote = Number.NEGATIVE_INFINITY
  let ownEnd = Number.NEGATIVE_INFINITY

  const isLocked = (): boolean => {
    try {
      database.exec('BEGIN IMMEDIATE')
      database.exec('ROLLBACK')
      return false
    } catch (error) {
      if (sqliteCode(error) !== 'SQLITE_BUSY') throw error
      return true
    }
  }

  return {
    wait: () => {
      const now = performance.now()
      const current = version.get()
      if (current !== seen) othersWrote = now
      seen = current
      if (now - othersWrote > remembered) return
      const rest = yielded - (now - ownEnd)
      if (rest > 0) sleep(rest)
      database.pragma('busy_timeout = 0')
      try {
        for (let pause = shortest; isLocked() && performance.now() - now < longest; pause *= 2)
          sleep(Math.min(pause, longestPause))
      } finally {
        database.pragma(`busy_timeout = ${busyTimeout}`)
      }
    },
    ended: () => {
      ownEnd = performance.now()
    },
  }
}
