/** `instance rewind`: the objects of an instance as they were at a moment. */
import { Option } from 'commander'
import { orThrow, readSettings } from '@publishing-service/application'
import { asCommandLine, exitCodes } from '@publishing-service/composition-root'
import { E } from '@publishing-service/domain/fp'
import { parseInstant, utcTime } from '@publishing-service/domain/time'
import { refusal } from './command-failure.js'
import { adminCommand, type AdminCommand } from './command.js'
import { instanceArgument } from './instance-commands.js'
import { onOwnData } from './on-own-data.js'
import { withProgress } from './progress-display.js'
import { durationInWords } from './result-text.js'
import { rewindInstance } from './rewind-instance.js'

type RewindOptions = { readonly to: string; readonly dryRun?: true; readonly report?: string }

/** The time of a moment in milliseconds; without an offset, it is one of the zone. Throws a CommandFailure. */
export const momentOf = (option: string, text: string, zone: string | null): number => {
  const parsed = parseInstant(text, zone)
  if (E.isLeft(parsed)) throw refusal(`--${option} ${parsed.left}`)
  return parsed.right
}

export const rewindCommands: readonly AdminCommand[] = [
  adminCommand<RewindOptions, number>({
    name: 'rewind',
    summary: 'take an instance back to a moment',
    description:
      'Gives the objects of an instance the states again that they had at a moment, from the records of their changes. What ' +
      'was created since is in the trash then, and what was deleted since is restored. Each object gets a new version, so that a ' +
      'rewind can be undone by another one.',
    argument: instanceArgument,
    options: [
      new Option(
        '--to <moment>',
        'the moment, such as 2026-11-29T14:04; without Z or an offset, in the time zone of the instance',
      ).makeOptionMandatory(),
      new Option('--dry-run', 'change nothing, and count what would become of the objects'),
      new Option('--report <file>', 'file for a line of JSON on each object'),
    ],
    json:
      '{"id": …, "to": …, "removed": {…}, "changed": {…}, "restored": {…}, "unchanged": {…}, "refused": {…}, ' +
      '"not_retained": {…}, "kept": {…}, "left": […], "seconds": …}',
    help: `Services can run. What was written at the moment or after it is taken back, also by others while the command runs. Settings,
comments, blogs, tag categories, drafts, users, keys and web hooks stay as they are. An interrupted rewind goes on when the command
is run again. The exit code is 1 if an object is not taken back.

`,
    examples: [
      'instance rewind 1 --to 2026-11-29T14:04 --dry-run --report rewind.jsonl',
      'instance rewind 1 --to 2026-11-29T14:04+01:00',
    ],
    run: ({ to, dryRun = false, report = null }, instance) =>
      onOwnData(async (useCases) => {
        const run = asCommandLine(useCases, instance)
        const { timezone } = await orThrow(run(readSettings, {}))
        const moment = momentOf('to', to, String(timezone))
        const [summary, seconds] = await withProgress(({ update }) =>
          rewindInstance(run, { to: moment, isTrial: dryRun, report }, update),
        )
        const time = utcTime(moment)
        return {
          value: { id: instance, to: time, ...summary.value, seconds },
          text: [
            ...summary.lines,
            ...(report === null ? [] : [`The report is ${report}.`]),
            dryRun
              ? `Nothing was written: this is what would become of instance ${instance} at ${time}.`
              : `Instance ${instance} is taken back to ${time}. It took ${durationInWords(seconds)}.`,
          ].join('\n'),
          code: summary.isWhole ? exitCodes.done : exitCodes.refused,
        }
      }),
  }),
]
