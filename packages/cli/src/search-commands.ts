/** `search rebuild` makes the index by which words are found again. */
import { adminCommand, type AdminCommand } from './command.js'
import { onOwnData } from './on-own-data.js'
import { withProgress } from './progress-display.js'
import { durationInWords } from './result-text.js'

export const searchCommands: readonly AdminCommand[] = [
  adminCommand({
    name: 'rebuild',
    summary: 'rebuild the search index',
    description: 'Removes the index by which words are found, and makes it again from all objects.',
    json: '{"rebuilt": …, "seconds": …}',
    help: `Services can run at the same time. Until the index is complete, they find only objects that are indexed already, and
their responses have "complete": false. A service indexes objects of earlier versions in the background by itself.

`,
    examples: ['search rebuild'],
    run: () =>
      onOwnData(async ({ searchIndex }) => {
        const [, seconds] = await withProgress(({ update }) => searchIndex.rebuild(update))
        return {
          value: { rebuilt: searchIndex.isSeparate, seconds },
          text: searchIndex.isSeparate
            ? `Rebuilt the search index in ${durationInWords(seconds)}.`
            : 'This store has no separate search index: there is nothing to rebuild.',
        }
      }),
  }),
]
