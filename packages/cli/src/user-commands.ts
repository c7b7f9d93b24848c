/** `user create`, `user list`, `user grant` and `user revoke-role`: who may use which instances, in which roles. */
import { InvalidArgumentError, Option } from 'commander'
import type { Role } from '@publishing-service/domain'
import { parseUuid } from '@publishing-service/domain/declare'
import type { Parameters } from '@publishing-service/domain/lists'
import { roles, type User } from '@publishing-service/domain/access'
import {
  changeUser,
  createUser,
  grantRole,
  orThrow,
  removeInstanceRoles,
  revokeRole,
  type Outcome,
  type UserChange,
} from '@publishing-service/application'
import { asOperator, type RunOnDeployment } from '@publishing-service/composition-root'
import { changeConfirmed } from './ask.js'
import { adminCommand, listResult, type AdminCommand, type Run } from './command.js'
import { instanceNumber } from './instance-commands.js'
import { onOwnData } from './on-own-data.js'
import { programName, rolesText } from './result-text.js'

type RightOptions = {
  readonly instance?: number
  readonly role?: Role
  readonly operator?: true
  readonly yes?: true
}

const userId = (text: string): string => {
  const id = parseUuid(text)
  if (id === null) throw new InvalidArgumentError('It must be the UUID of a user.')
  return id
}

const nowText = ({ name, operator, roles: held }: User): string =>
  `${held.length === 0 ? `“${name}” has no role` : `“${name}” has these roles: ${rolesText(held)}`}${operator ? ', and is an operator' : ''}.`

const jsonOfUser = '"user": …, "name": …, "operator": …, "roles": [{"instance": …, "roles": […]}, …]'

/** The options that say which right of a user a command changes. */
const rightOptions = (role: string, yes: string): readonly Option[] => [
  new Option('--instance <number>', 'the instance').argParser(instanceNumber),
  new Option('--role <role>', role).choices(roles),
  new Option(
    '--operator',
    'administration of users, keys and instances over the API, instead of a role',
  ).conflicts(['instance', 'role']),
  new Option('--yes', yes),
]

type Change = (
  run: RunOnDeployment,
  user: { readonly id: string; readonly parameters: Parameters },
) => Outcome<UserChange>

/** Changes rights of a user, and prints what it is then. */
const changing = (id: string, options: RightOptions, change: Change): Run =>
  onOwnData(async (useCases) => {
    const { after } = await changeConfirmed(
      (parameters) => orThrow(change(asOperator(useCases), { id, parameters })),
      options,
    )
    return {
      value: { user: id, ...after },
      text: `${nowText(after)}\nRunning services apply the change within five seconds, also to tokens in use.`,
    }
  })

const exampleUser = '9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e11'
const userArgument = ['<user>', 'UUID of the user', userId] as const

export const userCommands: readonly AdminCommand[] = [
  adminCommand<{ readonly name: string }>({
    name: 'create',
    summary: 'create a user',
    description:
      'Creates an API user without roles and keys. Add roles with `user grant`, and keys with `key create`.',
    options: [new Option('--name <name>', 'name of the user, for people').makeOptionMandatory()],
    json: `{${jsonOfUser}}`,
    examples: ['user create --name website'],
    run: ({ name }) =>
      onOwnData(async (useCases) => {
        const { id: user, after } = await orThrow(asOperator(useCases)(createUser, { body: { name } }))
        return {
          value: { user, ...after },
          text: [
            `User ${user}, “${after.name}”, is created.`,
            `Grant it a role: ${programName} user grant ${user} --instance 1 --role reader`,
            `Create a key for it: ${programName} key create --user ${user}`,
          ].join('\n'),
        }
      }),
  }),
  adminCommand({
    name: 'list',
    summary: 'list the users',
    description: 'Lists the API users with their roles and valid keys.',
    json: `[{${jsonOfUser}, "api_keys": […]}, …]`,
    examples: ['user list'],
    run: () =>
      onOwnData(async ({ administerUsers }) =>
        listResult(
          await orThrow(administerUsers.list()),
          `There is no user yet. Create one: ${programName} user create --name website`,
          {
            USER: ({ user }) => user,
            NAME: ({ name }) => name,
            OPERATOR: ({ operator }) => (operator ? 'yes' : ''),
            'INSTANCE: ROLES': ({ roles: held }) => rolesText(held),
            'API KEYS': ({ api_keys: keys }) => keys.join(', '),
          },
        ),
      ),
  }),
  adminCommand<RightOptions, string>({
    name: 'grant',
    summary: 'grant a user a role on an instance',
    description:
      'Grants a user a role on an instance, in addition to its other roles. The strongest role on an instance applies. ' +
      'All keys and tokens of the user have it within five seconds.',
    argument: userArgument,
    options: rightOptions(
      'the role, from least to most permissions',
      'grant it even if keys that others have made gain rights that these do not have',
    ),
    json: `{${jsonOfUser}}`,
    examples: [`user grant ${exampleUser} --instance 2 --role editor`],
    run: (options, id) => {
      const { instance, role, operator } = options
      if (operator === true)
        return changing(id, options, (run, user) => run(changeUser, { ...user, body: { operator } }))
      return instance === undefined || role === undefined
        ? 'what is granted is missing: add --instance and --role, or --operator'
        : changing(id, options, (run, user) => run(grantRole, { ...user, instance, role }))
    },
  }),
  adminCommand<RightOptions, string>({
    name: 'revoke-role',
    summary: 'revoke a role of a user on an instance',
    description:
      'Revokes a role of a user on an instance, or all its roles there. Tokens in use lose it within five seconds.',
    argument: userArgument,
    options: rightOptions(
      'the role (default: all roles on the instance)',
      'revoke even the role of the last admin key of the instance, or the last operator key',
    ),
    json: `{${jsonOfUser}}`,
    examples: [
      `user revoke-role ${exampleUser} --instance 2 --role editor`,
      `user revoke-role ${exampleUser} --instance 2 --yes`,
    ],
    run: (options, id) => {
      const { instance, role, operator } = options
      if (operator === true)
        return changing(id, options, (run, user) => run(changeUser, { ...user, body: { operator: false } }))
      if (instance === undefined) return 'what is revoked is missing: add --instance, or --operator'
      return changing(id, options, (run, user) =>
        role === undefined
          ? run(removeInstanceRoles, { ...user, instance })
          : run(revokeRole, { ...user, instance, role }),
      )
    },
  }),
]
