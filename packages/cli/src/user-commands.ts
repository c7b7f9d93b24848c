/** `user create`, `user list`, `user grant` and `user revoke-role`: who may use which instances, in which roles. */
import { Option, type Command } from 'commander'
import { E, pipe, roles, TE, type Json, type Role } from '@publishing-service/domain'
import type { Failure, UserRow } from '@publishing-service/application'
import type { AdminResult, Choose, TaskFailure } from './admin-task.js'
import { runConfirmed } from './ask.js'
import { instanceNumber } from './instance-commands.js'
import { onOwnData } from './on-own-data.js'
import { recordCommand } from './record-command.js'
import { programName, rolesText, textTable } from './result-text.js'
import { taskFailureOf, type Advice } from './task-failure-of.js'

type JsonOption = { readonly json?: true }
type RightOptions = JsonOption & {
  readonly instance?: number
  readonly role?: Role
  readonly operator?: true
  readonly yes?: true
}

const advice: Advice = (option) => (option === 'instance' ? `List them: ${programName} instance list` : null)

const shown = ({ user, name, operator, roles: held, apiKeys }: UserRow): Readonly<Record<string, Json>> => ({
  user,
  name,
  operator,
  roles: held,
  api_keys: apiKeys,
})

const failureFor = (failure: Failure, user: string): TaskFailure =>
  taskFailureOf(failure, `there is no user ${user}. List them: ${programName} user list`, advice)

const nowText = ({ name, operator, roles: held }: UserRow): string =>
  `${held.length === 0 ? `“${name}” has no role` : `“${name}” has these roles: ${rolesText(held)}`}${operator ? ', and is an operator' : ''}.`

const changed = (row: UserRow): AdminResult => ({
  value: shown(row),
  text: `${nowText(row)}\nRunning services apply the change within five seconds, also to tokens in use.`,
})

const jsonOfUser =
  '{"user": …, "name": …, "operator": …, "roles": [{"instance": …, "roles": […]}, …], "api_keys": […]}'

const addCreate = (group: Command, choose: Choose): void => {
  group
    .command('create')
    .summary('create a user')
    .description(
      'Creates an API user without roles and keys. Add roles with `user grant`, and keys with `key create`.',
    )
    .requiredOption('--name <name>', 'name of the user, for people')
    .option('--json', `print JSON: ${jsonOfUser}`)
    .addHelpText('after', `\nExample:\n  ${programName} user create --name website`)
    .action(({ name, json }: JsonOption & { readonly name: string }) =>
      choose({
        json: json === true,
        run: onOwnData(async (useCases) => {
          const made = await pipe(
            useCases.administerUsers.create(name),
            TE.chainFirst(({ user: object }) =>
              recordCommand(useCases, {
                operation: 'createUser',
                collection: 'users',
                object,
                title: name,
                changes: { name },
              }),
            ),
          )()
          if (E.isLeft(made)) return E.left(taskFailureOf(made.left))
          const { user } = made.right
          return E.right({
            value: shown(made.right),
            text: [
              `User ${user}, “${name}”, is created.`,
              `Grant it a role: ${programName} user grant ${user} --instance 1 --role reader`,
              `Create a key for it: ${programName} key create --user ${user}`,
            ].join('\n'),
          })
        }),
      }),
    )
}

const listText = (rows: readonly UserRow[]): string =>
  rows.length === 0
    ? `There is no user yet. Create one: ${programName} user create --name website`
    : textTable(
        ['USER', 'NAME', 'OPERATOR', 'INSTANCE: ROLES', 'API KEYS'],
        rows.map(({ user, name, operator, roles: held, apiKeys }) => [
          user,
          name,
          operator ? 'yes' : '',
          rolesText(held),
          apiKeys.join(', '),
        ]),
      )

const addList = (group: Command, choose: Choose): void => {
  group
    .command('list')
    .summary('list the users')
    .description('Lists the API users with their roles and valid keys.')
    .option('--json', `print JSON: [${jsonOfUser}, …]`)
    .addHelpText('after', `\nExample:\n  ${programName} user list`)
    .action(({ json }: JsonOption) =>
      choose({
        json: json === true,
        run: onOwnData(async ({ administerUsers }) => {
          const found = await administerUsers.list()()
          return E.isLeft(found)
            ? E.left(taskFailureOf(found.left))
            : E.right({ value: found.right.map(shown), text: listText(found.right) })
        }),
      }),
    )
}

const exampleUser = '9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e11'

const addGrant = (group: Command, choose: Choose): void => {
  group
    .command('grant')
    .summary('grant a user a role on an instance')
    .description(
      'Grants a user a role on an instance, in addition to its other roles. The strongest role on an instance applies. ' +
        'All keys and tokens of the user have it within five seconds.',
    )
    .argument('<user>', 'UUID of the user')
    .option('--instance <number>', 'the instance', instanceNumber)
    .addOption(new Option('--role <role>', 'the role, from least to most permissions').choices(roles))
    .addOption(
      new Option(
        '--operator',
        'administration of users, keys and instances over the API, instead of a role',
      ).conflicts(['instance', 'role']),
    )
    .option('--yes', 'grant it even if keys that others have made gain rights that these do not have')
    .option('--json', `print JSON: ${jsonOfUser}`)
    .addHelpText('after', `\nExample:\n  ${programName} user grant ${exampleUser} --instance 2 --role editor`)
    .action((user: string, { instance, role, operator, yes, json }: RightOptions, command: Command) => {
      if (operator === undefined && (instance === undefined || role === undefined))
        return command.error('error: what is granted is missing: add --instance and --role, or --operator')
      choose({
        json: json === true,
        run: onOwnData(async (useCases) => {
          const { administerUsers } = useCases
          const granted = await runConfirmed(
            (isConfirmed) =>
              pipe(
                instance === undefined || role === undefined
                  ? administerUsers.setOperator(user, true, isConfirmed)
                  : administerUsers.grant(user, instance, role, isConfirmed),
                TE.chainFirst((row) =>
                  recordCommand(useCases, {
                    operation: 'changeUser',
                    collection: 'users',
                    object: row.user,
                    ...(instance === undefined ? {} : { instance }),
                    changes: { granted: role ?? 'operator' },
                  }),
                ),
              ),
            yes === true,
            (failure) => failureFor(failure, user),
          )
          return pipe(granted, E.map(changed))
        }),
      })
    })
}

const addRevokeRole = (group: Command, choose: Choose): void => {
  group
    .command('revoke-role')
    .summary('revoke a role of a user on an instance')
    .description(
      'Revokes a role of a user on an instance, or all its roles there. Tokens in use lose it within five seconds.',
    )
    .argument('<user>', 'UUID of the user')
    .option('--instance <number>', 'the instance', instanceNumber)
    .addOption(new Option('--role <role>', 'the role (default: all roles on the instance)').choices(roles))
    .addOption(
      new Option(
        '--operator',
        'administration of users, keys and instances over the API, instead of a role',
      ).conflicts(['instance', 'role']),
    )
    .option('--yes', 'revoke even the role of the last admin key of the instance, or the last operator key')
    .option('--json', `print JSON: ${jsonOfUser}`)
    .addHelpText(
      'after',
      `\nExamples:\n  ${programName} user revoke-role ${exampleUser} --instance 2 --role editor\n  ${programName} user revoke-role ${exampleUser} --instance 2 --yes`,
    )
    .action((user: string, { instance, role, operator, yes, json }: RightOptions, command: Command) => {
      if (operator === undefined && instance === undefined)
        return command.error('error: what is revoked is missing: add --instance, or --operator')
      choose({
        json: json === true,
        run: onOwnData(async (useCases) => {
          const { administerUsers } = useCases
          const removal = instance === undefined ? null : { instance, role: role ?? null }
          const revoked = await runConfirmed(
            (isConfirmed) =>
              pipe(
                removal === null
                  ? administerUsers.setOperator(user, false, isConfirmed)
                  : administerUsers.revokeRole(user, removal, isConfirmed),
                TE.chainFirst((row) =>
                  recordCommand(useCases, {
                    operation: 'changeUser',
                    collection: 'users',
                    object: row.user,
                    ...(instance === undefined ? {} : { instance }),
                    changes: { revoked: removal === null ? 'operator' : (removal.role ?? 'all roles') },
                    urgent: true,
                  }),
                ),
              ),
            yes === true,
            (failure) => failureFor(failure, user),
          )
          return pipe(revoked, E.map(changed))
        }),
      })
    })
}

/** Adds `user` and the commands below it. */
export const addUserCommands = (program: Command, choose: Choose): void => {
  const group = program.command('user').description('Create and list API users, and change their roles.')
  group.addHelpText('after', `\nExample:\n  ${programName} user create --name website`)
  addCreate(group, choose)
  addList(group, choose)
  addGrant(group, choose)
  addRevokeRole(group, choose)
}
