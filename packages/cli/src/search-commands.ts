/** `search rebuild` makes the index by which words are found again. */
import type { Command } from 'commander'
import { E } from '@publishing-service/domain'
import { addCommand, addGroup } from './admin-command.js'
import type { Choose } from './admin-task.js'
import { withProgress } from './progress-display.js'
import { durationInWords } from './result-text.js'

/** Adds `search` and the command below it. */
export const addSearchCommands = (program: Command, choose: Choose): void => {
  const group = addGroup(program, 'search', 'Rebuild the search index.', 'search rebuild')
  addCommand(group, choose, {
    name: 'rebuild',
    summary: 'rebuild the search index',
    description: 'Removes the index by which words are found, and makes it again from all objects.',
    json: '{"rebuilt": …, "seconds": …}',
    help: `Services can run at the same time. Until the index is complete, they find only objects that are indexed already, and
their responses have "complete": false. A service indexes objects of earlier versions in the background by itself.

`,
    examples: ['search rebuild'],
    run:
      () =>
      async ({ searchIndex }) => {
        const [, seconds] = await withProgress(({ update }) => searchIndex.rebuild(update))
        return E.right({
          value: { rebuilt: searchIndex.isSeparate, seconds },
          text: searchIndex.isSeparate
            ? `Rebuilt the search index in ${durationInWords(seconds)}.`
            : 'This store has no separate search index: there is nothing to rebuild.',
        })
      },
  })
}
