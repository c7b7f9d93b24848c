/** Changes of users as the command line makes them: an operator without an API user. */
import type { Role } from '@publishing-service/domain'
import { E, pipe, TE } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import type { AnyDeploymentOperation } from '../deployment-operation.js'
import {
  changeUser,
  createUser,
  grantRole,
  removeInstanceRoles,
  revokeRole,
} from '../administration/user-operations.js'
import { principalWith } from '../access/principals.js'
import type { UserRow } from '../administration/administer-users.js'
import { attempt } from '../attempt.js'
import type { Outcome } from '../failure.js'
import type { Process, Stage } from './stage.js'

type RoleRemoval = { readonly instance: number; readonly role: Role | null }

const identity = E.right(
  principalWith({ id: null, user: 'command line', key: '' }, { operator: true, roles: [] }),
)
const confirmation = (isConfirmed: boolean) => ({ parameters: isConfirmed ? { confirm: 'true' } : {} })

export const userCommands = (stage: Stage, process: Process = stage.useCases) => {
  const run = <Input, Output>(
    operation: AnyDeploymentOperation<Input, Output>,
    input: Input,
  ): Outcome<Output> =>
    process.executeOnDeployment(operation, { ...stage.as('admin'), identity, strict: true }, TE.right(input))
  const change = (id: string, body: JsonObject, isConfirmed: boolean) =>
    run(changeUser, { id, body, ...confirmation(isConfirmed) })
  return {
    list: (): Outcome<readonly UserRow[]> => () => attempt(() => process.administerUsers.list()),
    change,
    create: (name: string): Outcome<{ readonly user: string }> =>
      pipe(
        run(createUser, { body: { name } }),
        TE.map(({ id }) => ({ user: id })),
      ),
    grant: (id: string, instance: number, role: Role, isConfirmed = false) =>
      run(grantRole, { id, instance, role, ...confirmation(isConfirmed) }),
    revokeRole: (id: string, { instance, role }: RoleRemoval, isConfirmed = false) => {
      const input = { id, instance, ...confirmation(isConfirmed) }
      return role === null ? run(removeInstanceRoles, input) : run(revokeRole, { ...input, role })
    },
    setOperator: (id: string, operator: boolean, isConfirmed = false) =>
      change(id, { operator }, isConfirmed),
  }
}

export type UserCommands = ReturnType<typeof userCommands>
