/** `instance set` and `instance delete`: changes of an instance that exists. */
import { setTimeout } from 'node:timers/promises'
import { Option, type Command } from 'commander'
import { E, pipe, TE, type Settings } from '@publishing-service/domain'
import { changeSettings, readSettings, type DeletedInstance } from '@publishing-service/application'
import { asService, counted, exitCodes } from '@publishing-service/composition-root'
import type { Choose } from './admin-task.js'
import { ask, ownTerminal } from './ask.js'
import { instanceNumber } from './instance-number.js'
import { shownInstance, zoneAdvice } from './instance-words.js'
import { onOwnData } from './on-own-data.js'
import { programName } from './program-name.js'
import { refusalOf } from './refusal-of.js'

type SetOptions = {
  readonly title?: string
  readonly timezone?: string
  readonly language?: string
  readonly directoryAddon?: boolean
  readonly publicDownloads?: boolean
  /** False for --no-website. */
  readonly website?: string | false
  readonly json?: true
}

type DeleteOptions = { readonly title?: string; readonly json?: true }

const missing = (number: number): string =>
  `there is no instance ${number}. List them: ${programName} instance list`

const changesOf = (options: SetOptions): Partial<Settings> => {
  const { title, timezone, language, directoryAddon, publicDownloads, website } = options
  return {
    ...(title === undefined ? {} : { title }),
    ...(timezone === undefined ? {} : { timezone }),
    ...(language === undefined ? {} : { language }),
    ...(directoryAddon === undefined ? {} : { directory_addon: directoryAddon }),
    ...(publicDownloads === undefined ? {} : { public_downloads: publicDownloads }),
    ...(website === undefined ? {} : { website_url: website === false ? null : website }),
  }
}

/** Adds `set` below `instance`. */
export const addSet = (group: Command, choose: Choose): void => {
  group
    .command('set')
    .summary('change settings of an instance')
    .description(
      'Changes the settings that are given. Running services use them within three seconds; answers that they or ' +
        'clients have cached can be up to five minutes old. A new time zone changes which moments the stored ' +
        'dates and times mean.',
    )
    .argument('<instance>', 'the number of the instance', instanceNumber)
    .option('--title <title>', 'name of the publication')
    .option('--timezone <zone>', 'time zone of all its dates, such as Europe/Vienna')
    .option('--language <tag>', 'language of the publication, such as en or de-AT')
    .option('--directory-addon', 'let its locations be directory listings')
    .option('--no-directory-addon', 'do not')
    .option('--public-downloads', 'let everybody download its files without a token')
    .option('--no-public-downloads', 'do not')
    .option('--website <address>', 'address of its public website, such as https://www.example.org')
    .option('--no-website', 'it has no public website')
    .option('--json', 'answer as JSON: {"id": …, "title": …, …}')
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
        command.error('error: nothing to change is given: name a setting, such as --title <title>')
      choose({
        json: options.json === true,
        run: onOwnData(async (useCases) => {
          const run = asService(useCases, number)
          const changed = await pipe(
            run(changeSettings, { body: changes }),
            TE.chain(() => run(readSettings, {})),
          )()
          return E.isLeft(changed)
            ? E.left(refusalOf(changed.left, zoneAdvice(options.timezone ?? ''), missing(number)))
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
  'Its number is not used again.'

/** Adds `delete` below `instance`. */
export const addDelete = (group: Command, choose: Choose): void => {
  group
    .command('delete')
    .summary('delete an instance with everything in it')
    .description(
      'Deletes an instance for good: its content, files and settings, all roles on it, and the users and keys that ' +
        'have no role on another instance. The title confirms it. It takes five seconds at least, since running ' +
        'services remember roles for that long; then no request for the instance is answered. Where it is ' +
        'interrupted, run it again; a running service finishes it too, within an hour.',
    )
    .argument('<instance>', 'the number of the instance', instanceNumber)
    .addOption(
      new Option('--title <title>', 'the title of the instance; asked for on the terminal if not given'),
    )
    .option('--json', 'answer as JSON: {"id": …, "title": …, "documents": …, "keys": …}')
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
        run: onOwnData(async ({ deleteInstance }) => {
          const question = `Type the title of instance ${number} to delete it with everything in it:`
          const title = given ?? (await ask(ownTerminal, question))
          if (title === null)
            return E.left({
              code: exitCodes.refused,
              lines: [`there is no terminal to ask on: add --title with the title of instance ${number}`],
            })
          const deleted = await deleteInstance.run({ number, title, wait: (time) => setTimeout(time) })()
          return E.isLeft(deleted)
            ? E.left(
                refusalOf(deleted.left, () => `List them: ${programName} instance list`, missing(number)),
              )
            : E.right({ value: deleted.right, text: deletedText(deleted.right) })
        }),
      }),
    )
}
