import { randomUUID } from 'node:crypto'
import type { AuditChange, UseCases } from '@publishing-service/application'

/** Records a change of the deployment by a command in the audit log. */
export const recordCommand = ({ audit }: UseCases, change: Omit<AuditChange, 'instance'>): Promise<void> =>
  audit.record({ user: null, name: 'command line', apiKey: null, address: null, request: randomUUID() }, [
    { instance: null, ...change },
  ])
