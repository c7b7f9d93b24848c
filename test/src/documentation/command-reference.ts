/** The admin commands in documents, from what they print themselves. */
import { commandHelps } from '@publishing-service/cli'
import { markdownTable } from './markdown-table.js'

export const commandTable = (): string =>
  markdownTable(
    ['Command', 'What it does'],
    commandHelps().map(({ name, summary }) => [
      `\`${name}\``,
      `${summary.charAt(0).toUpperCase()}${summary.slice(1)}`,
    ]),
  )

export const commandReference = (): string =>
  commandHelps()
    .map(({ name, help }) => `## \`${name}\`\n\n\`\`\`text\n${help.trim()}\n\`\`\``)
    .join('\n\n')
