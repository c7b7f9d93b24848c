/** `search rebuild` makes the index by which words are found again. */
import type { Command } from 'commander'
import { E } from '@publishing-service/domain'
import { isPortFailure } from '@publishing-service/ports'
import type { Choose } from './admin-task.js'
import { onOwnData } from './on-own-data.js'
import { progressDisplay } from './progress-display.js'
import { durationInWords, programName } from './result-text.js'
import { taskFailureOf } from './task-failure-of.js'

const now = (): number => performance.now()

const rebuild = (json: boolean, choose: Choose): void =>
  choose({
    json,
    run: onOwnData(async ({ searchIndex }) => {
      const began = now()
      const display = progressDisplay(process.stderr, now)
      try {
        await searchIndex.rebuild(display.update).finally(display.end)
      } catch (error) {
        if (isPortFailure(error)) return E.left(taskFailureOf(error))
        throw error
      }
      const seconds = Math.round(now() - began) / 1000
      return E.right({
        value: { rebuilt: searchIndex.isSeparate, seconds },
        text: searchIndex.isSeparate
          ? `Rebuilt the search index in ${durationInWords(seconds)}.`
          : 'This store has no separate search index: there is nothing to rebuild.',
      })
    }),
  })

const details = `
Services can run at the same time. Until the index is complete, they find only objects that are indexed already, and
their responses have "complete": false. A service indexes objects of earlier versions in the background by itself.

Example:
  ${programName} search rebuild`

/** Adds `search` and the command below it. */
export const addSearchCommands = (program: Command, choose: Choose): void => {
  const group = program.command('search').description('Rebuild the search index.')
  group.addHelpText('after', `\nExample:\n  ${programName} search rebuild`)
  group
    .command('rebuild')
    .summary('rebuild the search index')
    .description('Removes the index by which words are found, and makes it again from all objects.')
    .option('--json', 'print JSON: {"rebuilt": …, "seconds": …}')
    .addHelpText('after', details)
    .action(({ json }: { readonly json?: true }) => rebuild(json === true, choose))
}
