import { randomUUID } from 'node:crypto'
import type { AuditChange, Recorded, UseCases } from '@publishing-service/application'

/** Runs a command that changes the deployment, with the entry of its change in the audit log. */
export const recordedCommand = <C, Output extends C>(
  { audit }: UseCases,
  changeOf: (change: C) => Omit<AuditChange, 'instance'>,
  run: (recorded: Recorded<C>) => Promise<Output>,
): Promise<Output> =>
  audit.recorded(
    { user: null, name: 'command line', apiKey: null, address: null, request: randomUUID() },
    (change: C) => [{ instance: null, ...changeOf(change) }],
    run,
  )
