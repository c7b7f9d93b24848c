/** `user create`, `user invite` and the others: who may use which instances, in which roles. */
import { InvalidArgumentError, Option } from 'commander'
import type { Role } from '@publishing-service/domain'
import { parseUuid } from '@publishing-service/domain/declare'
import type { Parameters } from '@publishing-service/domain/lists'
import { linkPath, type User } from '@publishing-service/access'
import { roles } from '@publishing-service/domain/roles'
import { utcTime } from '@publishing-service/domain/time'
import {
  changeUser,
  createLink,
  createUser,
  grantRole,
  orThrow,
  removeInstanceRoles,
  revokeRole,
  type IssuedLink,
  type Outcome,
  type UserChange,
} from '@publishing-service/application'
import { asOperator, type Configuration, type RunOnDeployment } from '@publishing-service/composition-root'
import { dashboardPath } from '@publishing-service/http-contract'
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

const nowText = ({ name, operator, roles: held, disabled }: User): string =>
  `${held.length === 0 ? `“${name}” has no role` : `“${name}” has these roles: ${rolesText(held)}`}${operator ? ', and is an operator' : ''}${disabled ? ', and is disabled' : ''}.`

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

type InviteOptions = RightOptions & {
  readonly name: string
  readonly email?: string
  readonly url?: string
}

type ShownLink = { readonly url: string; readonly expires: string }

const jsonOfLink = '"url": …, "expires": …'
const addressOption = new Option('--url <address>', 'public address of the service (default: BASE_URL)')

const shownLink = (
  { BASE_URL, PORT }: Configuration,
  url: string | undefined,
  issued: IssuedLink,
): ShownLink => ({
  url: `${(url ?? BASE_URL ?? `http://localhost:${PORT}`).replace(/\/$/, '')}${dashboardPath}/${linkPath(issued)}`,
  expires: utcTime(issued.expires),
})

const linkText = (name: string, { url, expires }: ShownLink): string =>
  [
    `Hand this link over to “${name}”. It works once, until ${expires} UTC, and is not shown again:`,
    '',
    `  ${url}`,
  ].join('\n')

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
          await administerUsers.list(),
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
  adminCommand<InviteOptions>({
    name: 'invite',
    summary: 'create a person, and print a link to set up the account',
    description:
      'Creates a user for a person and prints a link to hand over. It works once, within 72 hours: the person chooses a password or a passkey. ' +
      'The address of the service is BASE_URL unless it is given.',
    options: [
      new Option('--name <name>', 'name of the person').makeOptionMandatory(),
      new Option('--email <address>', 'e-mail address, with which the person signs in'),
      ...rightOptions('the role on the instance', 'not needed').slice(0, 3),
      addressOption,
    ],
    json: `{${jsonOfUser}, ${jsonOfLink}}`,
    examples: ['user invite --name Ada --email ada@example.org --instance 1 --role editor'],
    run: ({ name, email, instance, role, operator = false, url }) =>
      (instance === undefined) !== (role === undefined)
        ? 'the role is incomplete: add both --instance and --role'
        : onOwnData(async (useCases, { configuration }) => {
            const run = asOperator(useCases)
            const held = instance === undefined || role === undefined ? [] : [{ instance, roles: [role] }]
            const body = { name, operator, roles: held, ...(email === undefined ? {} : { email }) }
            const { id: user, after } = await orThrow(run(createUser, { body }))
            const link = shownLink(
              configuration,
              url,
              await orThrow(run(createLink, { user, dashboard: null })),
            )
            return { value: { user, ...after, ...link }, text: linkText(after.name, link) }
          }),
  }),
  adminCommand<{ readonly url?: string }, string>({
    name: 'reset',
    summary: 'print a link with which a person gets in again',
    description:
      'Prints a link for a person who has lost their password, passkey or second factor. It works once, within 72 hours, and takes the place of earlier links.',
    argument: userArgument,
    options: [addressOption],
    json: `{"user": …, ${jsonOfLink}}`,
    examples: [`user reset ${exampleUser}`],
    run: ({ url }, user) =>
      onOwnData(async (useCases, { configuration }) => {
        const found = await useCases.administerUsers.find({ operator: true, roles: [] }, user)
        const issued = await orThrow(asOperator(useCases)(createLink, { user, dashboard: null }))
        const link = shownLink(configuration, url, issued)
        return { value: { user, ...link }, text: linkText(found.name, link) }
      }),
  }),
  adminCommand<RightOptions, string>({
    name: 'disable',
    summary: 'disable a user until it is enabled again',
    description:
      'Its keys stop working within five seconds. Its sessions, tokens, links and previews end, and do not come back when it is enabled.',
    argument: userArgument,
    options: [new Option('--yes', 'disable even the last admin of an instance, or the last operator')],
    json: `{${jsonOfUser}}`,
    examples: [`user disable ${exampleUser}`],
    run: (options, id) =>
      changing(id, options, (run, user) => run(changeUser, { ...user, body: { disabled: true } })),
  }),
  adminCommand<RightOptions, string>({
    name: 'enable',
    summary: 'enable a disabled user',
    description: 'Its keys and ways in work again. It signs in anew.',
    argument: userArgument,
    options: [],
    json: `{${jsonOfUser}}`,
    examples: [`user enable ${exampleUser}`],
    run: (options, id) =>
      changing(id, options, (run, user) => run(changeUser, { ...user, body: { disabled: false } })),
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
      'revoke even the role of the last admin of the instance, or of the last operator',
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
