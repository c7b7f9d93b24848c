/** `key create`, `key list` and `key revoke`: who may use which instance, as what. */
import { InvalidArgumentError, Option, type Command } from 'commander'
import { E, roles, type Json } from '@publishing-service/domain'
import type { IssuedKey, KeyRow } from '@publishing-service/application'
import type { Choose } from './admin-task.js'
import { onOwnData } from './on-own-data.js'
import { programName } from './program-name.js'
import { refusalOf, type Advice } from './refusal-of.js'
import { textTable } from './text-table.js'

type CreateOptions = {
  readonly instance: number
  readonly role: string
  readonly name?: string
  readonly json?: true
}

const instanceNumber = (text: string): number => {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It is the number of an instance, such as 1.')
}

const listInstances: Advice = (option) =>
  option === 'instance' ? `List them: ${programName} instance list` : null

const createText = ({ api_key: key, api_secret: secret }: IssuedKey): string =>
  [
    `API key     ${key}`,
    `API secret  ${secret}`,
    'The secret is shown this once and kept only as a hash, so note it down. The key can be used at once.',
  ].join('\n')

const moment = (milliseconds: number): string => new Date(milliseconds).toISOString()

const shown = ({
  api_key: key,
  user,
  roles: held,
  created,
  revoked,
}: KeyRow): Readonly<Record<string, Json>> => ({
  api_key: key,
  name: user,
  roles: held.map(({ instance, roles: names }) => ({ instance, roles: names })),
  created: moment(created),
  revoked: revoked === null ? null : moment(revoked),
})

const listText = (rows: readonly KeyRow[]): string =>
  rows.length === 0
    ? `There is no key yet. Create one: ${programName} key create --instance 1 --role admin`
    : textTable(
        ['API KEY', 'NAME', 'INSTANCE: ROLES', 'CREATED', 'REVOKED'],
        rows.map(({ api_key: key, user, roles: held, created, revoked }) => [
          key,
          user,
          held.map(({ instance, roles: names }) => `${instance}: ${names.join(', ')}`).join('; '),
          moment(created),
          revoked === null ? '' : moment(revoked),
        ]),
      )

const addCreate = (group: Command, choose: Choose): void => {
  group
    .command('create')
    .summary('create a key')
    .description('Creates an API key with a secret. A service that runs on the same data takes it at once.')
    .requiredOption('--instance <number>', 'the instance that it is for', instanceNumber)
    .addOption(
      new Option('--role <role>', 'what it may do there, from least to most')
        .choices(roles)
        .makeOptionMandatory(),
    )
    .option('--name <name>', 'what people call whoever uses it')
    .option('--json', 'answer as JSON: {"api_key": …, "api_secret": …}')
    .addHelpText(
      'after',
      `
Roles:
  public_user  reads what is live
  reader       reads everything
  editor       also writes content and files, and edits sections
  admin        also creates and deletes sections, and changes settings

Examples:
  ${programName} key create --instance 1 --role admin
  ${programName} key create --instance 1 --role public_user --name website --json`,
    )
    .action(({ instance, role, name, json }: CreateOptions) =>
      choose({
        json: json === true,
        run: onOwnData(async ({ administerKeys }) => {
          const issued = await administerKeys.create({
            instance,
            role,
            ...(name === undefined ? {} : { name }),
          })()
          return E.isLeft(issued)
            ? E.left(refusalOf(issued.left, listInstances, `there is no instance ${instance}`))
            : E.right({ value: issued.right, text: createText(issued.right) })
        }),
      }),
    )
}

const addList = (group: Command, choose: Choose): void => {
  group
    .command('list')
    .summary('list the keys')
    .description('Lists the keys, revoked ones too; their secrets are nowhere to be read.')
    .option('--json', 'answer as JSON: a list of objects')
    .addHelpText('after', `\nExample:\n  ${programName} key list`)
    .action(({ json }: Pick<CreateOptions, 'json'>) =>
      choose({
        json: json === true,
        run: onOwnData(async ({ administerKeys }) => {
          const found = await administerKeys.list()()
          return E.isLeft(found)
            ? E.left(refusalOf(found.left, () => null, 'there are no keys'))
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
      'Revokes a key for good. Its tokens end within five seconds. Revoking it again changes nothing.',
    )
    .argument('<api-key>', 'the key; put -- before one that starts with a hyphen')
    .option('--json', 'answer as JSON: {"api_key": …, "revoked": true}')
    .addHelpText(
      'after',
      `\nExamples:\n  ${programName} key revoke 3afzFMEzK_1MV8yxCtF1\n  ${programName} key revoke --json -- -afzFMEzK_1MV8yxCtF1`,
    )
    .action((key: string, { json }: Pick<CreateOptions, 'json'>) =>
      choose({
        json: json === true,
        run: onOwnData(async ({ administerKeys }) => {
          const revoked = await administerKeys.revoke(key)()
          const missing = `there is no key ${key}. List them: ${programName} key list`
          return E.isLeft(revoked)
            ? E.left(refusalOf(revoked.left, () => null, missing))
            : E.right({
                value: { api_key: key, revoked: true },
                text: `Key ${key} is revoked; its tokens end within five seconds.`,
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
