/** `key create`, `key list` and `key revoke`: who may use which instance, as what. */
import { Option, type Command } from 'commander'
import { E, pipe, roleDescriptions, roles, TE } from '@publishing-service/domain'
import { revokeKey, type IssuedKey, type KeyOwner, type KeyRow } from '@publishing-service/application'
import { asOperator } from '@publishing-service/composition-root'
import { addCommand, addGroup } from './admin-command.js'
import type { Choose } from './admin-task.js'
import { runConfirmed } from './ask.js'
import { instanceNumber } from './instance-commands.js'
import { recordCommand } from './record-command.js'
import { programName, rolesText, textTable } from './result-text.js'
import { taskFailureOf, type Advice } from './task-failure-of.js'

type CreateOptions = {
  readonly user?: string
  readonly instance?: number
  readonly role?: string
  readonly name?: string
  readonly operator?: true
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

const listText = (rows: readonly KeyRow[]): string =>
  rows.length === 0
    ? `There is no key yet. Create one: ${programName} key create --instance 1 --role admin`
    : textTable(
        ['API KEY', 'USER', 'NAME', 'INSTANCE: ROLES', 'CREATED', 'BY', 'REVOKED'],
        rows.map((row) => [
          row.api_key,
          row.user,
          row.name,
          rolesText(row.roles),
          row.created,
          row.created_by_name ?? '',
          row.revoked ?? '',
        ]),
      )

/** Adds `key` and the commands below it. */
export const addKeyCommands = (program: Command, choose: Choose): void => {
  const group = addGroup(
    program,
    'key',
    'Create, list and revoke API keys.',
    'key create --instance 1 --role admin',
  )
  addCommand<CreateOptions>(group, choose, {
    name: 'create',
    summary: 'create a key',
    description: 'Creates an API key with a secret. A running service accepts it immediately.',
    options: [
      new Option('--user <user>', 'UUID of an existing user (default: a new user)').conflicts([
        'instance',
        'role',
        'name',
        'operator',
      ]),
      new Option('--instance <number>', 'instance of a new user').argParser(instanceNumber),
      new Option('--role <role>', 'role of a new user, from least to most permissions').choices(roles),
      new Option('--operator', 'the new user administers users, keys and instances over the API'),
      new Option('--name <name>', 'name of the user, for people'),
    ],
    json: '{"api_key": …, "api_secret": …}',
    help: `Roles:\n${roles.map((role) => `  ${role.padEnd(11)}  ${roleDescriptions[role]}`).join('\n')}\n\n`,
    examples: [
      'key create --instance 1 --role admin',
      'key create --instance 1 --role public_user --name website --json',
      'key create --operator --name administrator',
      'key create --user 9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e11',
    ],
    run: (options) => {
      const owner = ownerOf(options)
      if (owner === null) return 'the key needs a user: add --user, --operator, or --instance and --role'
      return async (useCases) => {
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
        return pipe(
          issued,
          E.bimap(
            (failure) => taskFailureOf(failure, '', advice),
            (value) => ({ value, text: createText(value) }),
          ),
        )
      }
    },
  })
  addCommand(group, choose, {
    name: 'list',
    summary: 'list the keys',
    description: 'Lists the keys, including revoked ones. Secrets cannot be shown again.',
    json: 'a list of objects',
    examples: ['key list'],
    run:
      () =>
      async ({ administerKeys }) =>
        pipe(
          await administerKeys.list()(),
          E.bimap(taskFailureOf, (rows) => ({ value: rows, text: listText(rows) })),
        ),
  })
  addCommand<{ readonly yes?: true }, string>(group, choose, {
    name: 'revoke',
    summary: 'revoke a key',
    description:
      'Revokes a key permanently. Its tokens become invalid within five seconds. To revoke the last admin key of an ' +
      'instance, confirm on the terminal or add --yes.',
    argument: ['<api-key>', 'the key; put -- before a key that starts with a hyphen', (text) => text],
    options: [new Option('--yes', 'revoke even the last admin key of an instance')],
    json: '{"api_key": …, "revoked": true}',
    examples: ['key revoke 3afzFMEzK_1MV8yxCtF1', 'key revoke --json -- -afzFMEzK_1MV8yxCtF1'],
    run:
      ({ yes }, key) =>
      async (useCases) => {
        const revoked = await runConfirmed(
          (isConfirmed) =>
            pipe(
              useCases.administerKeys.find(key),
              TE.chain(({ user }) =>
                asOperator(useCases)(revokeKey, {
                  user,
                  apiKey: key,
                  parameters: isConfirmed ? { confirm: 'true' } : {},
                }),
              ),
            ),
          yes === true,
          (failure) => taskFailureOf(failure, `there is no key ${key}. List them: ${programName} key list`),
        )
        return pipe(
          revoked,
          E.map(() => ({
            value: { api_key: key, revoked: true },
            text: `Key ${key} is revoked. Its tokens become invalid within five seconds.`,
          })),
        )
      },
  })
}
