/** API users of a test service, made and changed as commands of the command line do it. */
import {
  changeUser,
  createUser,
  grantRole,
  removeInstanceRoles,
  revokeRole,
  type IssuedKey,
  type UseCases,
} from '@publishing-service/application'
import { asOperator } from '@publishing-service/composition-root'
import type { Role } from '@publishing-service/domain'
import { E, type TaskEither } from '@publishing-service/domain/fp'

type Service = { readonly useCases: UseCases }

const right = async <A>(outcome: TaskEither<unknown, A>): Promise<A> => {
  const result = await outcome()
  if (E.isLeft(result)) throw new Error(JSON.stringify(result.left))
  return result.right
}

const parameters = {}

/** Creates a user without roles, and returns its id. */
export const newUser = async ({ useCases }: Service, name: string): Promise<string> =>
  (await right(asOperator(useCases)(createUser, { body: { name } }))).id

export const grantTo = ({ useCases }: Service, id: string, instance: number, role: Role): Promise<unknown> =>
  right(asOperator(useCases)(grantRole, { id, instance, role, parameters }))

/** Revokes a role, or all roles on the instance for null. */
export const revokeFrom = (
  { useCases }: Service,
  id: string,
  instance: number,
  role: Role | null,
): Promise<unknown> =>
  right(
    role === null
      ? asOperator(useCases)(removeInstanceRoles, { id, instance, parameters })
      : asOperator(useCases)(revokeRole, { id, instance, role, parameters }),
  )

export const makeOperator = ({ useCases }: Service, id: string): Promise<unknown> =>
  right(asOperator(useCases)(changeUser, { id, body: { operator: true }, parameters }))

/** The id of the user that has a key. */
export const userOfKey = async ({ useCases }: Service, { api_key: key }: IssuedKey): Promise<string> => {
  const found = (await right(useCases.administerKeys.list())).find((each) => each.api_key === key)
  if (found === undefined) throw new Error(`no user has the key ${key}`)
  return found.user
}
