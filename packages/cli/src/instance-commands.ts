/** `instance create`, `instance list` and the commands that change instances: the publications of this service. */
import type { Command } from 'commander'
import { E } from '@publishing-service/domain'
import type { InstanceRow } from '@publishing-service/application'
import type { Choose } from './admin-task.js'
import { addDelete, addSet } from './instance-change-commands.js'
import { shownInstance, zoneAdvice } from './instance-words.js'
import { onOwnData } from './on-own-data.js'
import { programName } from './program-name.js'
import { refusalOf } from './refusal-of.js'
import { textTable } from './text-table.js'

type CreateOptions = {
  readonly title: string
  readonly timezone: string
  readonly language?: string
  readonly directoryAddon?: true
  readonly publicDownloads?: true
  readonly website?: string
  readonly json?: true
}

const createText = ({ id, settings }: InstanceRow): string =>
  [
    `Instance ${id}, “${String(settings['title'])}”, is there.`,
    `Make a key for it: ${programName} key create --instance ${id} --role admin`,
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
      'Creates an instance: a publication with its own content, settings and keys. Its number is the next free one.',
    )
    .requiredOption('--title <title>', 'name of the publication')
    .requiredOption('--timezone <zone>', 'time zone of all its dates, such as Europe/Vienna')
    .option('--language <tag>', 'language of the publication, such as en or de-AT (default: en)')
    .option('--directory-addon', 'let its locations be directory listings')
    .option('--public-downloads', 'let everybody download its files without a token')
    .option('--website <address>', 'address of its public website, such as https://www.example.org')
    .option('--json', 'answer as JSON: {"id": …, "title": …, …}')
    .addHelpText(
      'after',
      `
Examples:
  ${programName} instance create --title News --timezone Europe/Vienna
  ${programName} instance create --title "Der Bote" --timezone Europe/Vienna --language de-AT --json`,
    )
    .action(({ title, timezone, language, directoryAddon, publicDownloads, website, json }: CreateOptions) =>
      choose({
        json: json === true,
        run: onOwnData(async ({ administerInstances }) => {
          const made = await administerInstances.create({
            title,
            timezone,
            ...(language === undefined ? {} : { language }),
            directory_addon: directoryAddon === true,
            public_downloads: publicDownloads === true,
            ...(website === undefined ? {} : { website_url: website }),
          })()
          return E.isLeft(made)
            ? E.left(refusalOf(made.left, zoneAdvice(timezone), 'there is no such instance'))
            : E.right({ value: shownInstance(made.right), text: createText(made.right) })
        }),
      }),
    )
}

const addList = (group: Command, choose: Choose): void => {
  group
    .command('list')
    .summary('list the instances')
    .description('Lists the instances with their settings.')
    .option('--json', 'answer as JSON: a list of objects as create answers them')
    .addHelpText('after', `\nExample:\n  ${programName} instance list`)
    .action(({ json }: Pick<CreateOptions, 'json'>) =>
      choose({
        json: json === true,
        run: onOwnData(async ({ administerInstances }) => {
          const found = await administerInstances.list()()
          return E.isLeft(found)
            ? E.left(refusalOf(found.left, () => null, 'there are no instances'))
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
