/** `storage copy` copies all data of the stores of one environment to those of another; also its subcommands. */
import type { Command } from 'commander'
import { E } from '@publishing-service/domain'
import type { Choose } from './admin-task.js'
import { addFileDataCommands } from './file-data-commands.js'
import { copyBetween } from './copy-between.js'
import { readSides, type SideFiles } from './copy-sides.js'
import { copyText } from './copy-messages.js'
import { programName } from './result-text.js'
import { progressDisplay } from './progress-display.js'

type CopyOptions = SideFiles & { readonly json?: true }

const now = (): number => performance.now()

const description =
  'Copies all instances, keys, documents and file data to empty stores of any kind, then counts and compares both ' +
  'sides. The source is not changed. Each side is a file with environment variables of the service; the side without ' +
  'an option is the environment of this command.'

const details = `
Such a file has lines like these (docs/configuration.md lists the variables). A secret can be in a separate file:
  STORE=mongodb
  MONGODB_URL_FILE=/run/secrets/mongodb-url

Stop the services that use the source first. Changes during the copy are detected at the end; run the command again
to copy only those. An interrupted copy continues where it stopped. No service starts on the target until the copy is
complete. If both sides use the same place for file data, only documents are copied.

Examples:
  ${programName} storage copy --to mongodb-and-minio.env
  ${programName} storage copy --from old.env --to new.env --json`

const addCopy = (group: Command, choose: Choose): void => {
  group
    .command('copy')
    .summary('copy all data to other stores')
    .description(description)
    .option('--from <file>', 'environment file of the source')
    .option('--to <file>', 'environment file of the target')
    .option(
      '--json',
      'print JSON: {"instances": …, "keys": …, "documents": …, "blobs": …, "bytes": …, "resumed": …, "seconds": …}',
    )
    .addHelpText('after', details)
    .action(({ from, to, json }: CopyOptions, command: Command) => {
      if (from === undefined && to === undefined) command.error('error: a copy needs --from, --to, or both')
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
  const group = program.command('storage').description('Copy all data to other stores, and check file data.')
  group.addHelpText('after', `\nExample:\n  ${programName} storage copy --to mongodb-and-minio.env`)
  addCopy(group, choose)
  addFileDataCommands(group, choose)
}
