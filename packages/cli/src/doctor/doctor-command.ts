/** `doctor`: examines a deployment, and says what is wrong and what to do. */
import { closeAll, environmentOfProcess, exitCodes, counted } from '@publishing-service/composition-root'
import { Option } from 'commander'
import { adminCommand, type CommandResult } from '../command.js'
import { textTable } from '../result-text.js'
import { findingsOf } from './check.js'
import { doctorChecks } from './checks.js'
import type { Finding, FindingState } from './finding.js'
import { surroundingsOf } from './surroundings.js'

type Row = Finding & { readonly check: string }

/** The worst first. */
const states: readonly FindingState[] = ['fault', 'warning', 'fine', 'skipped']

const words: Readonly<Record<FindingState, string>> = {
  fault: 'FAULT',
  warning: 'WARNING',
  fine: 'fine',
  skipped: '-',
}

const summaryOf = (rows: readonly Row[]): string => {
  const count = (state: FindingState): number => rows.filter((row) => row.state === state).length
  const [faults, warnings] = [count('fault'), count('warning')]
  return faults + warnings === 0
    ? 'Nothing is wrong.'
    : `${counted(faults, 'fault')}, ${counted(warnings, 'warning')}.`
}

const resultOf = (rows: readonly Row[]): CommandResult => {
  const verdict = states.find((state) => rows.some((row) => row.state === state)) ?? 'skipped'
  return {
    value: {
      verdict,
      checks: rows.map(({ check, state, found, advice }) => ({ check, state, found, advice })),
    },
    text: [
      textTable(
        ['STATE', 'CHECK', 'FOUND'],
        rows.map(({ state, check, found, advice }) => [
          words[state],
          check,
          advice === null ? found : `${found}. To do: ${advice}`,
        ]),
      ),
      '',
      summaryOf(rows),
    ].join('\n'),
    code: verdict === 'fault' ? exitCodes.refused : exitCodes.done,
  }
}

export const doctorCommand = adminCommand<{ readonly mailTo?: string }>({
  name: 'doctor',
  summary: 'examine a deployment, and say what is wrong',
  description:
    'Examines the configuration and the surroundings of a service: secrets, disks, stores, proxy, certificate, mail, identity ' +
    'provider, web hooks, jobs and backups. Says for each what it found, whether that is a fault, and what to do. The service can run.',
  options: [new Option('--mail-to <address>', 'send a test message to this address')],
  json: '{"verdict": …, "checks": [{"check": …, "state": "fault" | "warning" | "fine" | "skipped", "found": …, "advice": …}, …]}',
  help: `Nothing is changed, except for probes: a blob is written and removed, the document store writes its probe as for
/health/ready, and the mail server is logged in to. Tables are not migrated. The exit code is 1 if there is a fault.

`,
  examples: ['doctor', 'doctor --json', 'doctor --mail-to ada@example.org'],
  run:
    ({ mailTo = null }) =>
    async ({ replaced }) => {
      const surroundings = surroundingsOf(await environmentOfProcess(), mailTo, replaced)
      try {
        const found = await Promise.all(
          doctorChecks.map(async (each) =>
            (await findingsOf(each, surroundings)).map((finding) => ({ check: each.name, ...finding })),
          ),
        )
        return resultOf(found.flat())
      } finally {
        await closeAll(surroundings.container)
      }
    },
})
