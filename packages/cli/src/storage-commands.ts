/** `storage copy` copies all data of the stores of one environment to those of another; also its subcommands. */
import { Option, type Command } from 'commander'
import { E } from '@publishing-service/domain'
import { addGroup, addTask } from './admin-command.js'
import type { Choose } from './admin-task.js'
import { copyBetween } from './copy-between.js'
import { copyText } from './copy-messages.js'
import { readSides, type SideFiles } from './copy-sides.js'
import { addFileDataCommands } from './file-data-commands.js'
import { withProgress } from './progress-display.js'

/** Adds `storage` and the commands below it. */
export const addStorageCommands = (program: Command, choose: Choose): void => {
  const group = addGroup(
    program,
    'storage',
    'Copy all data to other stores, and check file data.',
    'storage copy --to mongodb-and-minio.env',
  )
  addTask<SideFiles>(group, choose, {
    name: 'copy',
    summary: 'copy all data to other stores',
    description:
      'Copies all instances, keys, documents and file data to empty stores of any kind, then counts and compares both ' +
      'sides. The source is not changed. Each side is a file with environment variables of the service; the side without ' +
      'an option is the environment of this command.',
    options: [
      new Option('--from <file>', 'environment file of the source'),
      new Option('--to <file>', 'environment file of the target'),
    ],
    json: '{"instances": …, "keys": …, "documents": …, "blobs": …, "bytes": …, "resumed": …, "seconds": …}',
    help: `Such a file has lines like these (docs/configuration.md lists the variables). A secret can be in a separate file:
  STORE=mongodb
  MONGODB_URL_FILE=/run/secrets/mongodb-url

Stop the services that use the source first. Changes during the copy are detected at the end; run the command again
to copy only those. An interrupted copy continues where it stopped. No service starts on the target until the copy is
complete. If both sides use the same place for file data, only documents are copied.

`,
    examples: ['storage copy --to mongodb-and-minio.env', 'storage copy --from old.env --to new.env --json'],
    run: (files) => {
      if (files.from === undefined && files.to === undefined) return 'a copy needs --from, --to, or both'
      return async () => {
        const sides = await readSides(files)
        if (E.isLeft(sides)) return sides
        const [copied, seconds] = await withProgress((display) => copyBetween(sides.right, display))
        if (E.isLeft(copied)) return copied
        return E.right({
          value: { ...copied.right, seconds },
          text: copyText(copied.right, sides.right, seconds),
        })
      }
    },
  })
  addFileDataCommands(group, choose)
}
