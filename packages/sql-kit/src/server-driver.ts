/** What a driver of a database server does for the kit. */
import type { PortFailure } from '@publishing-service/ports'
import type { Result, Statement } from './statement.js'

/**
 * What an error of a driver means: the transaction was rolled back because of another, the server rejected the statement,
 * or nothing is known, as after a lost connection.
 */
export type DriverFailure = {
  readonly is: 'retry' | 'rejected' | 'lost'
  readonly failure: PortFailure
}

export type ServerDriver<C> = {
  /** Takes a connection, new or used before. */
  readonly connect: () => Promise<C>
  readonly execute: (connection: C, statement: Statement) => Promise<Result>
  /** Gives a connection back. A broken one is closed at once, and what waits for its responses fails. */
  readonly release: (connection: C, isBroken: boolean) => void
  /** Begins a transaction in which a statement sees what was committed before it. */
  readonly begin: string
  /** Begins a transaction that reads the state of the moment after these statements, and that may be idle for minutes. */
  readonly beginSnapshot: readonly string[]
  /** Null for a defect. */
  readonly failureOf: (error: unknown) => DriverFailure | null
}

/** One use: the connection that it has, and what is known of it. */
export type Use<C> = { connection: C | null; isLate: boolean; isCommitting: boolean }
