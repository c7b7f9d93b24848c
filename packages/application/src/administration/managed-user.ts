import { keyChangeProblem, type User } from '@publishing-service/access'
import { throwIf } from '../attempt.js'
import type { DeploymentSession } from '../deployment-operation.js'

/** The user whose keys and links the caller may make and revoke; throws why it may not. */
export const managedUser = async (
  { administerUsers, rights }: Pick<DeploymentSession, 'administerUsers' | 'rights'>,
  id: string,
): Promise<User> => {
  const user = await administerUsers.find(rights, id)
  throwIf(keyChangeProblem(rights, user))
  return user
}
