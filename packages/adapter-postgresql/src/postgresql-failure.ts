/** What errors of the driver mean: failures of the environment, lost races, and defects. */
import { type PortFailure, portFailure, storageFull } from '@publishing-service/ports'
import type { DriverFailure } from '@publishing-service/sql-kit'
import pg from 'pg'

export const part = 'document store'

/** SQLSTATEs of transactions that another one has won: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const lostRaces: ReadonlySet<string> = new Set([
  '40001', // serialization_failure
  '40P01', // deadlock_detected
  '23505', // unique_violation: another transaction has inserted the text since it was looked for
])

const undefinedTable = '42P01'
const insufficientPrivilege = '42501'
const diskFull = '53100'

/** Classes of SQLSTATEs that only a wrong statement causes. */
const defects: ReadonlySet<string> = new Set(['0A', '21', '22', '23', '26', '34', '42'])

const isOfEnvironment = (code: string): boolean =>
  code === insufficientPrivilege || !defects.has(code.slice(0, 2))

const failureOfServer = (error: pg.DatabaseError, code: string): PortFailure | null => {
  const reason = `${code}: ${error.message}`
  if (code === undefinedTable)
    return portFailure(part, `another version of this program has changed the tables: ${reason}`)
  if (code === diskFull) return storageFull(part, reason)
  return isOfEnvironment(code) ? portFailure(part, reason) : null
}

/** The server is not the primary: it would return what was written some time ago. */
export class InRecovery extends Error {
  override readonly name = 'InRecovery'
}

/**
 * The driver rejects with its errors, and with those of sockets and of TLS, which have nothing in common. So everything that it
 * rejects with is a lost connection, unless the server has responded with it.
 */
export const postgresqlFailure = (error: unknown): DriverFailure | null => {
  if (error instanceof TypeError || error instanceof RangeError) return null
  if (!(error instanceof pg.DatabaseError)) return { is: 'lost', failure: portFailure(part, error) }
  const { code = '', severity } = error
  if (lostRaces.has(code)) return { is: 'retry', failure: portFailure(part, `${code}: ${error.message}`) }
  const failure = failureOfServer(error, code)
  if (failure === null) return null
  // After other severities than ERROR, the server has ended the connection.
  return { is: severity === 'ERROR' ? 'rejected' : 'lost', failure }
}
