/** `storage copy`: everything that one environment's stores hold, into those of another; and what else is below it. */
import type { Command } from 'commander'
import { E } from '@publishing-service/domain'
import type { Choose } from './admin-task.js'
import { addFileDataCommands } from './file-data-commands.js'
import { copyBetween } from './copy-between.js'
import { readSides, type SideFiles } from './copy-sides.js'
import { copyText } from './copy-words.js'
import { programName } from './answer-text.js'
import { progressDisplay } from './progress-display.js'

type CopyOptions = SideFiles & { readonly json?: true }

const now = (): number => performance.now()

const description =
  'Copies all instances, keys, documents and file data into empty stores of any kind, counts and compares both sides ' +
  'in the end, and changes nothing in the source. Each side is an environment: a file with the variables that a ' +
  'service is started with, or, for the side that isn’t given, the environment of this command.'

const details = `
A file has lines such as these; docs/configuration.md lists the variables. A secret can stay in a file of its own:
  STORE=mongodb
  MONGODB_URL_FILE=/run/secrets/mongodb-url

Stop the services that work on the source first. What they change meanwhile is found in the end; then run the
command again, and it copies only that. It also goes on where it was interrupted. Until it has ended, no service
starts on the target. Where both sides keep file data in the same place, those stay where they are.

Examples:
  ${programName} storage copy --to mongodb-and-minio.env
  ${programName} storage copy --from old.env --to new.env --json`

const addCopy = (group: Command, choose: Choose): void => {
  group
    .command('copy')
    .summary('copy everything into other stores')
    .description(description)
    .option('--from <file>', 'environment of the source')
    .option('--to <file>', 'environment of the target')
    .option(
      '--json',
      'answer as JSON: {"instances": …, "keys": …, "documents": …, "blobs": …, "bytes": …, "resumed": …, "seconds": …}',
    )
    .addHelpText('after', details)
    .action(({ from, to, json }: CopyOptions, command: Command) => {
      if (from === undefined && to === undefined)
        command.error('error: neither side is given: name a file with --from, --to, or both')
      choose({
        json: json === true,
        run: async () => {
          const files = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
          const sides = await readSides(files)
          if (E.isLeft(sides)) return sides
          const began = now()
          const display = progressDisplay(process.stderr, now)
          const copied = await copyBetween(sides.right, display).finally(display.end)
          if (E.isLeft(copied)) return copied
          const seconds = Math.round(now() - began) / 1000
          return E.right({
            value: { ...copied.right, seconds },
            text: copyText(copied.right, sides.right, seconds),
          })
        },
      })
    })
}

/** Adds `storage` and the commands below it. */
export const addStorageCommands = (program: Command, choose: Choose): void => {
  const group = program.command('storage').description('Move all data to other stores, and check file data.')
  group.addHelpText('after', `\nExample:\n  ${programName} storage copy --to mongodb-and-minio.env`)
  addCopy(group, choose)
  addFileDataCommands(group, choose)
}
