/** `user create`, `user list`, `user grant` and `user revoke-role`: who may use which instances, in which roles. */
import { Option, type Command } from 'commander'
import { E, roles, type Json, type Role } from '@publishing-service/domain'
import type { Failure, UserRow } from '@publishing-service/application'
import type { AdminAnswer, Choose, Refusal } from './admin-task.js'
import { confirmLoss } from './ask.js'
import { instanceNumber } from './instance-commands.js'
import { onOwnData } from './on-own-data.js'
import { programName, heldText, textTable } from './answer-text.js'
import { refusalOf, type Advice } from './refusal-of.js'

type JsonOption = { readonly json?: true }
type RoleOptions = JsonOption & { readonly instance: number; readonly role: string }
type RevokeOptions = JsonOption & { readonly instance: number; readonly role?: Role; readonly yes?: true }

const advice: Advice = (option) => (option === 'instance' ? `List them: ${programName} instance list` : null)

const shown = ({ user, name, roles: held, apiKeys }: UserRow): Readonly<Record<string, Json>> => ({
  user,
  name,
  roles: held,
  api_keys: apiKeys,
})

const refusalFor = (failure: Failure, user: string): Refusal =>
  refusalOf(failure, `there is no user ${user}. List them: ${programName} user list`, advice)

const nowText = ({ name, roles: held }: UserRow): string =>
  held.length === 0 ? `“${name}” has no role now.` : `“${name}” has these roles now: ${heldText(held)}.`

const changed = (row: UserRow): AdminAnswer => ({
  value: shown(row),
  text: `${nowText(row)}\nRunning services apply the change within five seconds, to tokens in use too.`,
})

const jsonOfUser = '{"user": …, "name": …, "roles": [{"instance": …, "roles": […]}, …], "api_keys": […]}'

const addCreate = (group: Command, choose: Choose): void => {
  group
    .command('create')
    .summary('create a user')
    .description(
      'Creates an API user without roles and keys: `user grant` gives it roles, `key create` keys.',
    )
    .requiredOption('--name <name>', 'name that people know the user by')
    .option('--json', `answer as JSON: ${jsonOfUser}`)
    .addHelpText('after', `\nExample:\n  ${programName} user create --name website`)
    .action(({ name, json }: JsonOption & { readonly name: string }) =>
      choose({
        json: json === true,
        run: onOwnData(async ({ administerUsers }) => {
          const made = await administerUsers.create(name)()
          if (E.isLeft(made)) return E.left(refusalOf(made.left))
          const { user } = made.right
          return E.right({
            value: shown(made.right),
            text: [
              `User ${user}, “${name}”, is created.`,
              `Give it a role: ${programName} user grant ${user} --instance 1 --role reader`,
              `Make a key for it: ${programName} key create --user ${user}`,
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
        ['USER', 'NAME', 'INSTANCE: ROLES', 'API KEYS'],
        rows.map(({ user, name, roles: held, apiKeys }) => [user, name, heldText(held), apiKeys.join(', ')]),
      )

const addList = (group: Command, choose: Choose): void => {
  group
    .command('list')
    .summary('list the users')
    .description('Lists the API users with their roles and the keys that are not revoked.')
    .option('--json', `answer as JSON: [${jsonOfUser}, …]`)
    .addHelpText('after', `\nExample:\n  ${programName} user list`)
    .action(({ json }: JsonOption) =>
      choose({
        json: json === true,
        run: onOwnData(async ({ administerUsers }) => {
          const found = await administerUsers.list()()
          return E.isLeft(found)
            ? E.left(refusalOf(found.left))
            : E.right({ value: found.right.map(shown), text: listText(found.right) })
        }),
      }),
    )
}

const exampleUser = '9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e11'

const addGrant = (group: Command, choose: Choose): void => {
  group
    .command('grant')
    .summary('give a user a role on an instance')
    .description(
      'Gives a user a role on an instance, beside the roles that it has; the strongest on an instance counts. All ' +
        'keys and tokens of the user have it within five seconds.',
    )
    .argument('<user>', 'UUID of the user')
    .requiredOption('--instance <number>', 'the instance', instanceNumber)
    .addOption(
      new Option('--role <role>', 'what it may do there, from least to most')
        .choices(roles)
        .makeOptionMandatory(),
    )
    .option('--json', `answer as JSON: ${jsonOfUser}`)
    .addHelpText('after', `\nExample:\n  ${programName} user grant ${exampleUser} --instance 2 --role editor`)
    .action((user: string, { instance, role, json }: RoleOptions) =>
      choose({
        json: json === true,
        run: onOwnData(async ({ administerUsers }) => {
          const granted = await administerUsers.grant(user, instance, role)()
          return E.isLeft(granted) ? E.left(refusalFor(granted.left, user)) : E.right(changed(granted.right))
        }),
      }),
    )
}

const addRevokeRole = (group: Command, choose: Choose): void => {
  group
    .command('revoke-role')
    .summary('take a role on an instance from a user')
    .description(
      'Takes a role on an instance from a user, or all its roles there. Its tokens lose it within five seconds. A ' +
        'role that the user does not have changes nothing.',
    )
    .argument('<user>', 'UUID of the user')
    .requiredOption('--instance <number>', 'the instance', instanceNumber)
    .addOption(new Option('--role <role>', 'the role; all roles there if not given').choices(roles))
    .option('--yes', 'do it also where it is the last admin key of the instance')
    .option('--json', `answer as JSON: ${jsonOfUser}`)
    .addHelpText(
      'after',
      `\nExamples:\n  ${programName} user revoke-role ${exampleUser} --instance 2 --role editor\n  ${programName} user revoke-role ${exampleUser} --instance 2 --yes`,
    )
    .action((user: string, { instance, role, yes, json }: RevokeOptions) =>
      choose({
        json: json === true,
        run: onOwnData(async ({ administerUsers }) => {
          const removal = { instance, role: role ?? null }
          const loss = await administerUsers.instancesLosingAdmin(user, removal)()
          if (E.isLeft(loss)) return E.left(refusalFor(loss.left, user))
          const confirmed = await confirmLoss(`user ${user}`, loss.right, yes === true)
          if (E.isLeft(confirmed)) return confirmed
          const revoked = await administerUsers.revokeRole(user, removal)()
          return E.isLeft(revoked) ? E.left(refusalFor(revoked.left, user)) : E.right(changed(revoked.right))
        }),
      }),
    )
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
