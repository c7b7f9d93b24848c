/** `instance create`, `list`, `set` and `delete`: the publications of this service. */
import { setTimeout } from 'node:timers/promises'
import {
  changeSettings,
  readSettings,
  type DeletedInstance,
  type InstanceRow,
} from '@publishing-service/application'
import { asCommandLine, counted, exitCodes } from '@publishing-service/composition-root'
import { E, pipe, TE, type Json, type Settings } from '@publishing-service/domain'
import { InvalidArgumentError, Option, type Command } from 'commander'
import type { Choose } from './admin-task.js'
import { ask, ownTerminal } from './ask.js'
import { similarTimeZones } from './similar-time-zones.js'
import { onOwnData } from './on-own-data.js'
import { recordCommand } from './record-command.js'
import { programName, textTable } from './result-text.js'
import { taskFailureOf, type Advice } from './task-failure-of.js'

/** The number of an instance, as an argument or option. */
export const instanceNumber = (text: string): number => {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be the number of an instance, such as 1.')
}

const shownInstance = ({ id, settings }: InstanceRow): Readonly<Record<string, Json>> => ({
  id,
  ...settings,
})

/** Suggests time zones that are similar to this one. */
const zoneAdvice =
  (wanted: string): Advice =>
  (option) => {
    const near = option === 'timezone' ? similarTimeZones(wanted) : []
    return near.length === 0 ? null : `Did you mean ${near.join(' or ')}?`
  }

type SetOptions = {
  readonly title?: string
  readonly timezone?: string
  readonly language?: string
  readonly directoryAddon?: boolean
  readonly publicDownloads?: boolean
  readonly publicFeeds?: boolean
  /** False for --no-website. */
  readonly website?: string | false
  readonly json?: true
}

type DeleteOptions = { readonly title?: string; readonly json?: true }

const missing = (number: number): string =>
  `there is no instance ${number}. List them: ${programName} instance list`

const changesOf = (options: SetOptions): Partial<Settings> => {
  const { title, timezone, language, directoryAddon, publicDownloads, publicFeeds, website } = options
  return {
    ...(title === undefined ? {} : { title }),
    ...(timezone === undefined ? {} : { timezone }),
    ...(language === undefined ? {} : { language }),
    ...(directoryAddon === undefined ? {} : { directory_addon: directoryAddon }),
    ...(publicDownloads === undefined ? {} : { public_downloads: publicDownloads }),
    ...(publicFeeds === undefined ? {} : { public_feeds: publicFeeds }),
    ...(website === undefined ? {} : { website_url: website === false ? null : website }),
  }
}

/** Adds `set` below `instance`. */
const addSet = (group: Command, choose: Choose): void => {
  group
    .command('set')
    .summary('change settings of an instance')
    .description(
      'Changes the settings that the options name. Running services apply them within three seconds. Responses that ' +
        'are cached can be up to five minutes old. A new time zone changes which moments the stored dates and ' +
        'times denote.',
    )
    .argument('<instance>', 'number of the instance', instanceNumber)
    .option('--title <title>', 'name of the publication')
    .option('--timezone <zone>', 'time zone of its dates, such as Europe/Vienna')
    .option('--language <tag>', 'language of the publication, such as en or de-AT')
    .option('--directory-addon', 'allow directory listings')
    .option('--no-directory-addon', 'do not allow directory listings')
    .option('--public-downloads', 'allow downloads without a token')
    .option('--no-public-downloads', 'require a token for downloads')
    .option('--public-feeds', 'allow feeds and the sitemap without a token')
    .option('--no-public-feeds', 'require a token for feeds and the sitemap')
    .option('--website <address>', 'address of its public website, such as https://www.example.org')
    .option('--no-website', 'remove the address of the website')
    .option('--json', 'print JSON: {"id": …, "title": …, …}')
    .addHelpText(
      'after',
      `
Examples:
  ${programName} instance set 1 --title "Der Bote" --language de-AT
  ${programName} instance set 1 --public-downloads --no-website --json`,
    )
    .action((number: number, options: SetOptions, command: Command) => {
      const changes = changesOf(options)
      if (Object.keys(changes).length === 0)
        command.error('error: no setting to change: add an option, such as --title <title>')
      choose({
        json: options.json === true,
        run: onOwnData(async (useCases) => {
          const run = asCommandLine(useCases, number)
          const changed = await pipe(
            run(changeSettings, { body: changes }),
            TE.chain(() => run(readSettings, {})),
          )()
          return E.isLeft(changed)
            ? E.left(taskFailureOf(changed.left, missing(number), zoneAdvice(options.timezone ?? '')))
            : E.right({
                value: shownInstance({ id: number, settings: changed.right }),
                text: `Instance ${number}, “${String(changed.right['title'])}”, is changed.`,
              })
        }),
      })
    })
}

const deletedText = ({ id, title, documents, keys }: DeletedInstance): string =>
  `Instance ${id}, “${title}”, is deleted, with ${counted(documents, 'document')}, their file data and ${counted(keys, 'key')}. ` +
  'Its number will not be used again.'

/** Adds `delete` below `instance`. */
const addDelete = (group: Command, choose: Choose): void => {
  group
    .command('delete')
    .summary('delete an instance with all its content')
    .description(
      'Deletes an instance permanently: its content, files and settings, all roles on it, and the users without a role ' +
        'on another instance, with their keys. Confirm with the title. The command runs for at least five seconds, ' +
        'because running services cache roles that long. If it is interrupted, run it again; a running service ' +
        'also finishes the deletion within an hour.',
    )
    .argument('<instance>', 'number of the instance', instanceNumber)
    .addOption(
      new Option(
        '--title <title>',
        'title of the instance, as confirmation; without it, the command asks on the terminal',
      ),
    )
    .option('--json', 'print JSON: {"id": …, "title": …, "documents": …, "keys": …}')
    .addHelpText(
      'after',
      `
Examples:
  ${programName} instance delete 2
  ${programName} instance delete 2 --title News --json`,
    )
    .action((number: number, { title: given, json }: DeleteOptions) =>
      choose({
        json: json === true,
        run: onOwnData(async (useCases) => {
          const question = `To delete instance ${number} with all its content, type its title:`
          const title = given ?? (await ask(ownTerminal, question))
          if (title === null)
            return E.left({
              code: exitCodes.refused,
              lines: [
                `there is no terminal to ask for the title: add --title with the title of instance ${number}`,
              ],
            })
          const deleted = await pipe(
            useCases.deleteInstance.run({ number, title, wait: (time) => setTimeout(time) }),
            TE.chainFirst(() =>
              recordCommand(useCases, {
                operation: 'removeInstance',
                collection: 'instances',
                object: String(number),
                title,
                changes: { title },
                urgent: true,
              }),
            ),
          )()
          return E.isLeft(deleted)
            ? E.left(
                taskFailureOf(deleted.left, missing(number), () => `List them: ${programName} instance list`),
              )
            : E.right({ value: deleted.right, text: deletedText(deleted.right) })
        }),
      }),
    )
}

type CreateOptions = {
  readonly title: string
  readonly timezone: string
  readonly language?: string
  readonly directoryAddon?: true
  readonly publicDownloads?: true
  readonly publicFeeds?: true
  readonly website?: string
  readonly json?: true
}

const createText = ({ id, settings }: InstanceRow): string =>
  [
    `Instance ${id}, “${String(settings['title'])}”, is created.`,
    `Create a key for it: ${programName} key create --instance ${id} --role admin`,
  ].join('\n')

const listText = (rows: readonly InstanceRow[]): string =>
  rows.length === 0
    ? `There is no instance yet. Create one: ${programName} instance create --title News --timezone Europe/Vienna`
    : textTable(
        ['ID', 'TITLE', 'TIME ZONE', 'LANGUAGE', 'WEBSITE'],
        rows.map(({ id, settings }) => [
          String(id),
          String(settings['title']),
          String(settings['timezone']),
          String(settings['language']),
          String(settings['website_url'] ?? ''),
        ]),
      )

const addCreate = (group: Command, choose: Choose): void => {
  group
    .command('create')
    .summary('create an instance')
    .description(
      'Creates an instance: a publication with its own content, settings and roles. It gets the next free number.',
    )
    .requiredOption('--title <title>', 'name of the publication')
    .requiredOption('--timezone <zone>', 'time zone of its dates, such as Europe/Vienna')
    .option('--language <tag>', 'language of the publication, such as en or de-AT (default: en)')
    .option('--directory-addon', 'allow directory listings')
    .option('--public-downloads', 'allow downloads without a token')
    .option('--public-feeds', 'allow feeds and the sitemap without a token')
    .option('--website <address>', 'address of its public website, such as https://www.example.org')
    .option('--json', 'print JSON: {"id": …, "title": …, …}')
    .addHelpText(
      'after',
      `
Examples:
  ${programName} instance create --title News --timezone Europe/Vienna
  ${programName} instance create --title "Der Bote" --timezone Europe/Vienna --language de-AT --json`,
    )
    .action((options: CreateOptions) => {
      const { title, timezone, language, directoryAddon, publicDownloads, publicFeeds, website, json } =
        options
      choose({
        json: json === true,
        run: onOwnData(async (useCases) => {
          const made = await pipe(
            useCases.administerInstances.create({
              title,
              timezone,
              ...(language === undefined ? {} : { language }),
              directory_addon: directoryAddon === true,
              public_downloads: publicDownloads === true,
              public_feeds: publicFeeds === true,
              ...(website === undefined ? {} : { website_url: website }),
            }),
            TE.chainFirst(({ id, settings }) =>
              recordCommand(useCases, {
                operation: 'createInstance',
                collection: 'instances',
                object: String(id),
                title: String(settings['title']),
                changes: settings,
              }),
            ),
          )()
          return E.isLeft(made)
            ? E.left(taskFailureOf(made.left, 'there is no such instance', zoneAdvice(timezone)))
            : E.right({ value: shownInstance(made.right), text: createText(made.right) })
        }),
      })
    })
}

const addList = (group: Command, choose: Choose): void => {
  group
    .command('list')
    .summary('list the instances')
    .description('Lists the instances and their settings.')
    .option('--json', 'print JSON: a list of objects such as create prints')
    .addHelpText('after', `\nExample:\n  ${programName} instance list`)
    .action(({ json }: Pick<CreateOptions, 'json'>) =>
      choose({
        json: json === true,
        run: onOwnData(async ({ administerInstances }) => {
          const found = await administerInstances.list()()
          return E.isLeft(found)
            ? E.left(taskFailureOf(found.left))
            : E.right({ value: found.right.map(shownInstance), text: listText(found.right) })
        }),
      }),
    )
}

/** Adds `instance` and the commands below it. */
export const addInstanceCommands = (program: Command, choose: Choose): void => {
  const group = program
    .command('instance')
    .description('Create, list, change and delete instances, the publications of this service.')
  group.addHelpText(
    'after',
    `\nExample:\n  ${programName} instance create --title News --timezone Europe/Vienna`,
  )
  addCreate(group, choose)
  addList(group, choose)
  addSet(group, choose)
  addDelete(group, choose)
}
