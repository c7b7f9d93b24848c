/** `key create`, `key list` and `key revoke`: who may use which instance, as what. */
import { Option } from 'commander'
import { roleDescriptions, roles } from '@publishing-service/domain/roles'
import {
  orThrow,
  orThrowAny,
  revokeKey,
  type IssuedKey,
  type KeyOwner,
} from '@publishing-service/application'
import { asOperator } from '@publishing-service/composition-root'
import { changeConfirmed } from './ask.js'
import { adminCommand, listResult, type AdminCommand } from './command.js'
import { instanceNumber } from './instance-commands.js'
import { onOwnData } from './on-own-data.js'
import { recordedCommand } from './record-command.js'
import { programName, rolesText } from './result-text.js'

type CreateOptions = {
  readonly user?: string
  readonly instance?: number
  readonly role?: string
  readonly name?: string
  readonly operator?: true
}

/** Whom the options name: a user, or an instance with a role for a new one. */
const ownerOf = ({ user, instance, role, name, operator }: CreateOptions): KeyOwner | null => {
  if (user !== undefined) return { user }
  const named = name === undefined ? {} : { name }
  if (instance !== undefined && role !== undefined)
    return { instance, role, operator: operator === true, ...named }
  return operator === true && instance === undefined && role === undefined ? { operator, ...named } : null
}

export const keyCommands: readonly AdminCommand[] = [
  adminCommand<CreateOptions>({
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
      return onOwnData(async (useCases) => {
        const issued = await recordedCommand(
          useCases,
          ({ api_key: object }: IssuedKey) => ({
            operation: 'createKey',
            collection: 'keys',
            object,
            changes: { ...owner },
          }),
          (recorded) => orThrowAny(useCases.administerKeys.create(owner, null, recorded)),
        )
        const { api_key: key, api_secret: secret } = issued
        return {
          value: issued,
          text: [
            `API key     ${key}`,
            `API secret  ${secret}`,
            'Store the secret now: it is not shown again. The key can be used immediately.',
          ].join('\n'),
        }
      })
    },
  }),
  adminCommand({
    name: 'list',
    summary: 'list the keys',
    description: 'Lists the keys, including revoked ones. Secrets cannot be shown again.',
    json: 'a list of objects',
    examples: ['key list'],
    run: () =>
      onOwnData(async ({ administerKeys }) =>
        listResult(
          await orThrow(administerKeys.list()),
          `There is no key yet. Create one: ${programName} key create --instance 1 --role admin`,
          {
            'API KEY': (row) => row.api_key,
            USER: (row) => row.user,
            NAME: (row) => row.name,
            'INSTANCE: ROLES': (row) => rolesText(row.roles),
            CREATED: (row) => row.created,
            BY: (row) => row.created_by_name ?? '',
            REVOKED: (row) => row.revoked ?? '',
          },
        ),
      ),
  }),
  adminCommand<{ readonly yes?: true }, string>({
    name: 'revoke',
    summary: 'revoke a key',
    description:
      'Revokes a key permanently. Its tokens become invalid within five seconds. To revoke the last admin key of an ' +
      'instance, confirm on the terminal or add --yes.',
    argument: ['<api-key>', 'the key; put -- before a key that starts with a hyphen', (text) => text],
    options: [new Option('--yes', 'revoke even the last admin key of an instance')],
    json: '{"api_key": …, "revoked": true}',
    examples: ['key revoke 3afzFMEzK_1MV8yxCtF1', 'key revoke --json -- -afzFMEzK_1MV8yxCtF1'],
    run: (options, apiKey) =>
      onOwnData(async (useCases) => {
        const { user } = await orThrow(useCases.administerKeys.find(apiKey))
        await changeConfirmed(
          (parameters) => orThrow(asOperator(useCases)(revokeKey, { user, apiKey, parameters })),
          options,
        )
        return {
          value: { api_key: apiKey, revoked: true },
          text: `Key ${apiKey} is revoked. Its tokens become invalid within five seconds.`,
        }
      }),
  }),
]
