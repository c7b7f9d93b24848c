/** Creates an instance for a test, with a user of every role. */
import type { Role, Settings } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import { roles } from '@publishing-service/domain/roles'
import { createApi, type Api } from './http-client.js'
import type { TestService } from './start-test-service.js'

export type Publication = {
  readonly number: number
  /** The base URL of its paths. */
  readonly url: string
  readonly as: Readonly<Record<Role, Api>>
  readonly admin: Api
  readonly editor: Api
  readonly reader: Api
  readonly visitor: Api
  /** Without a token. */
  readonly anonymous: Api
}

export const createPublication = async (
  service: TestService,
  settings: Partial<Settings> = {},
): Promise<Publication> => {
  const created = await service.useCases.administerInstances.create({
    title: 'The Daily Test',
    timezone: 'Europe/Vienna',
    ...settings,
  })()
  if (E.isLeft(created)) throw new Error(JSON.stringify(created.left))
  const number = created.right.id
  const url = `${service.url}/${number}`
  const entries = await Promise.all(
    roles.map(async (role) => [role, createApi(url, await service.tokenFor(role, number))] as const),
  )
  const as = Object.fromEntries(entries) as Readonly<Record<Role, Api>>
  const { admin, editor, reader, public_user: visitor } = as
  return { number, url, as, admin, editor, reader, visitor, anonymous: createApi(url) }
}
