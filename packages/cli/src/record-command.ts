import { randomUUID } from 'node:crypto'
import type { AuditChange, Outcome, UseCases } from '@publishing-service/application'
import { TE } from '@publishing-service/domain'

/** Records a change by a command in the audit log. */
export const recordCommand = (
  { audit }: UseCases,
  change: Omit<AuditChange, 'instance'> & { readonly instance?: number },
): Outcome<void> =>
  TE.fromTask(() =>
    audit.record({ user: null, name: 'command line', apiKey: null, address: null, request: randomUUID() }, [
      { instance: null, ...change },
    ]),
  )
