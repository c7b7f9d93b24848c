/** `user create`, `user list`, `user grant` and `user revoke-role`: who may use which instances, in which roles. */
import { InvalidArgumentError, Option, type Command } from 'commander'
import { E, parseUuid, pipe, roles, type Parameters, type Role, type User } from '@publishing-service/domain'
import {
  changeUser,
  createUser,
  grantRole,
  removeInstanceRoles,
  revokeRole,
  type Outcome,
  type UserChange,
  type UserRow,
} from '@publishing-service/application'
import { asOperator, type RunOnDeployment } from '@publishing-service/composition-root'
import { addCommand, addGroup, type Run } from './admin-command.js'
import type { Choose } from './admin-task.js'
import { runConfirmed } from './ask.js'
import { instanceNumber } from './instance-commands.js'
import { programName, rolesText, textTable } from './result-text.js'
import { taskFailureOf, type Advice } from './task-failure-of.js'

type RightOptions = {
  readonly instance?: number
  readonly role?: Role
  readonly operator?: true
  readonly yes?: true
}

const advice: Advice = (option) => (option === 'instance' ? `List them: ${programName} instance list` : null)

const userId = (text: string): string => {
  const id = parseUuid(text)
  if (id === null) throw new InvalidArgumentError('It must be the UUID of a user.')
  return id
}

const nowText = ({ name, operator, roles: held }: User): string =>
  `${held.length === 0 ? `“${name}” has no role` : `“${name}” has these roles: ${rolesText(held)}`}${operator ? ', and is an operator' : ''}.`

const jsonOfUser = '"user": …, "name": …, "operator": …, "roles": [{"instance": …, "roles": […]}, …]'

const createdText = (user: string, { name }: User): string =>
  [
    `User ${user}, “${name}”, is created.`,
    `Grant it a role: ${programName} user grant ${user} --instance 1 --role reader`,
    `Create a key for it: ${programName} key create --user ${user}`,
  ].join('\n')

const listText = (rows: readonly UserRow[]): string =>
  rows.length === 0
    ? `There is no user yet. Create one: ${programName} user create --name website`
    : textTable(
        ['USER', 'NAME', 'OPERATOR', 'INSTANCE: ROLES', 'API KEYS'],
        rows.map(({ user, name, operator, roles: held, api_keys: keys }) => [
          user,
          name,
          operator ? 'yes' : '',
          rolesText(held),
          keys.join(', '),
        ]),
      )

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
const changing =
  (id: string, { yes }: RightOptions, change: Change): Run =>
  async (useCases) => {
    const changed = await runConfirmed(
      (isConfirmed) =>
        change(asOperator(useCases), { id, parameters: isConfirmed ? { confirm: 'true' } : {} }),
      yes === true,
      (failure) =>
        taskFailureOf(failure, `there is no user ${id}. List them: ${programName} user list`, advice),
    )
    return pipe(
      changed,
      E.map(({ after }) => ({
        value: { user: id, ...after },
        text: `${nowText(after)}\nRunning services apply the change within five seconds, also to tokens in use.`,
      })),
    )
  }

const exampleUser = '9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e11'
const userArgument = ['<user>', 'UUID of the user', userId] as const

/** Adds `user` and the commands below it. */
export const addUserCommands = (program: Command, choose: Choose): void => {
  const group = addGroup(
    program,
    'user',
    'Create and list API users, and change their roles.',
    'user create --name website',
  )
  addCommand<{ readonly name: string }>(group, choose, {
    name: 'create',
    summary: 'create a user',
    description:
      'Creates an API user without roles and keys. Add roles with `user grant`, and keys with `key create`.',
    options: [new Option('--name <name>', 'name of the user, for people').makeOptionMandatory()],
    json: `{${jsonOfUser}}`,
    examples: ['user create --name website'],
    run: (body) => async (useCases) => {
      const made = await asOperator(useCases)(createUser, { body: { name: body.name } })()
      return pipe(
        made,
        E.bimap(taskFailureOf, ({ id: user, after }) => ({
          value: { user, ...after },
          text: createdText(user, after),
        })),
      )
    },
  })
  addCommand(group, choose, {
    name: 'list',
    summary: 'list the users',
    description: 'Lists the API users with their roles and valid keys.',
    json: `[{${jsonOfUser}, "api_keys": […]}, …]`,
    examples: ['user list'],
    run:
      () =>
      async ({ administerUsers }) =>
        pipe(
          await administerUsers.list()(),
          E.bimap(taskFailureOf, (rows) => ({ value: rows, text: listText(rows) })),
        ),
  })
  addCommand<RightOptions, string>(group, choose, {
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
  })
  addCommand<RightOptions, string>(group, choose, {
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
  })
}
