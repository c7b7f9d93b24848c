/** `key create`, `key list` and `key revoke`: who may use which instance, as what. */
import { Option, type Command } from 'commander'
import { E, pipe, roleDescriptions, roles, TE, type Json } from '@publishing-service/domain'
import type { IssuedKey, KeyOwner, KeyRow } from '@publishing-service/application'
import type { Choose } from './admin-task.js'
import { runConfirmed } from './ask.js'
import { instanceNumber } from './instance-commands.js'
import { onOwnData } from './on-own-data.js'
import { recordCommand } from './record-command.js'
import { programName, rolesText, textTable } from './result-text.js'
import { taskFailureOf, type Advice } from './task-failure-of.js'

type CreateOptions = {
  readonly user?: string
  readonly instance?: number
  readonly role?: string
  readonly name?: string
  readonly operator?: true
  readonly json?: true
}

const advice: Advice = (option) =>
  option === 'instance' || option === 'user' ? `List them: ${programName} ${option} list` : null

/** Whom the options name: a user, or an instance with a role for a new one. */
const ownerOf = ({ user, instance, role, name, operator }: CreateOptions): KeyOwner | null => {
  if (user !== undefined) return { user }
  const named = name === undefined ? {} : { name }
  if (instance !== undefined && role !== undefined)
    return { instance, role, operator: operator === true, ...named }
  return operator === true && instance === undefined && role === undefined ? { operator, ...named } : null
}

const createText = ({ api_key: key, api_secret: secret }: IssuedKey): string =>
  [
    `API key     ${key}`,
    `API secret  ${secret}`,
    'Store the secret now: it is not shown again. The key can be used immediately.',
  ].join('\n')

const moment = (milliseconds: number): string => new Date(milliseconds).toISOString()

const shown = ({
  api_key: key,
  user,
  name,
  roles: held,
  created,
  revoked,
  created_by: maker,
}: KeyRow): Readonly<Record<string, Json>> => ({
  api_key: key,
  user,
  name,
  roles: held,
  created: moment(created),
  revoked: revoked === null ? null : moment(revoked),
  created_by: maker?.user ?? null,
  created_by_name: maker?.name ?? null,
})

const listText = (rows: readonly KeyRow[]): string =>
  rows.length === 0
    ? `There is no key yet. Create one: ${programName} key create --instance 1 --role admin`
    : textTable(
        ['API KEY', 'USER', 'NAME', 'INSTANCE: ROLES', 'CREATED', 'BY', 'REVOKED'],
        rows.map(({ api_key: key, user, name, roles: held, created, revoked, created_by: maker }) => [
          key,
          user,
          name,
          rolesText(held),
          moment(created),
          maker?.name ?? '',
          revoked === null ? '' : moment(revoked),
        ]),
      )

const addCreate = (group: Command, choose: Choose): void => {
  group
    .command('create')
    .summary('create a key')
    .description('Creates an API key with a secret. A running service accepts it immediately.')
    .addOption(
      new Option('--user <user>', 'UUID of an existing user (default: a new user)').conflicts([
        'instance',
        'role',
        'name',
        'operator',
      ]),
    )
    .option('--instance <number>', 'instance of a new user', instanceNumber)
    .addOption(
      new Option('--role <role>', 'role of a new user, from least to most permissions').choices(roles),
    )
    .option('--operator', 'the new user administers users, keys and instances over the API')
    .option('--name <name>', 'name of the user, for people')
    .option('--json', 'print JSON: {"api_key": …, "api_secret": …}')
    .addHelpText(
      'after',
      `
Roles:
${roles.map((role) => `  ${role.padEnd(11)}  ${roleDescriptions[role]}`).join('\n')}

Examples:
  ${programName} key create --instance 1 --role admin
  ${programName} key create --instance 1 --role public_user --name website --json
  ${programName} key create --operator --name administrator
  ${programName} key create --user 9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e11`,
    )
    .action((options: CreateOptions, command: Command) => {
      const owner = ownerOf(options)
      if (owner === null)
        return command.error('error: the key needs a user: add --user, --operator, or --instance and --role')
      choose({
        json: options.json === true,
        run: onOwnData(async (useCases) => {
          const issued = await pipe(
            useCases.administerKeys.create(owner),
            TE.chainFirst(({ api_key: object }) =>
              recordCommand(useCases, {
                operation: 'createKey',
                collection: 'keys',
                object,
                changes: { ...owner },
              }),
            ),
          )()
          return E.isLeft(issued)
            ? E.left(taskFailureOf(issued.left, '', advice))
            : E.right({ value: issued.right, text: createText(issued.right) })
        }),
      })
    })
}

const addList = (group: Command, choose: Choose): void => {
  group
    .command('list')
    .summary('list the keys')
    .description('Lists the keys, including revoked ones. Secrets cannot be shown again.')
    .option('--json', 'print JSON: a list of objects')
    .addHelpText('after', `\nExample:\n  ${programName} key list`)
    .action(({ json }: Pick<CreateOptions, 'json'>) =>
      choose({
        json: json === true,
        run: onOwnData(async ({ administerKeys }) => {
          const found = await administerKeys.list()()
          return E.isLeft(found)
            ? E.left(taskFailureOf(found.left))
            : E.right({ value: found.right.map(shown), text: listText(found.right) })
        }),
      }),
    )
}

const addRevoke = (group: Command, choose: Choose): void => {
  group
    .command('revoke')
    .summary('revoke a key')
    .description(
      'Revokes a key permanently. Its tokens become invalid within five seconds. To revoke the last admin key of an ' +
        'instance, confirm on the terminal or add --yes.',
    )
    .argument('<api-key>', 'the key; put -- before a key that starts with a hyphen')
    .option('--yes', 'revoke even the last admin key of an instance')
    .option('--json', 'print JSON: {"api_key": …, "revoked": true}')
    .addHelpText(
      'after',
      `\nExamples:\n  ${programName} key revoke 3afzFMEzK_1MV8yxCtF1\n  ${programName} key revoke --json -- -afzFMEzK_1MV8yxCtF1`,
    )
    .action((key: string, { yes, json }: { readonly yes?: true; readonly json?: true }) =>
      choose({
        json: json === true,
        run: onOwnData(async (useCases) => {
          const { administerKeys } = useCases
          const missing = `there is no key ${key}. List them: ${programName} key list`
          const revoked = await runConfirmed(
            (isConfirmed) =>
              pipe(
                administerKeys.revoke(key, isConfirmed),
                TE.chainFirst(() =>
                  recordCommand(useCases, {
                    operation: 'revokeKey',
                    collection: 'keys',
                    object: key,
                    urgent: true,
                  }),
                ),
              ),
            yes === true,
            (failure) => taskFailureOf(failure, missing),
          )
          if (E.isLeft(revoked)) return revoked
          return E.right({
            value: { api_key: key, revoked: true },
            text: `Key ${key} is revoked. Its tokens become invalid within five seconds.`,
          })
        }),
      }),
    )
}

/** Adds `key` and the commands below it. */
export const addKeyCommands = (program: Command, choose: Choose): void => {
  const group = program.command('key').description('Create, list and revoke API keys.')
  group.addHelpText('after', `\nExample:\n  ${programName} key create --instance 1 --role admin`)
  addCreate(group, choose)
  addList(group, choose)
  addRevoke(group, choose)
}
