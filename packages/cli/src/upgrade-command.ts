/** `upgrade`: brings data of an earlier release to this one, or says beforehand what that does. */
import { statfs } from 'node:fs/promises'
import { Option } from 'commander'
import { hasData, plannedBy } from '@publishing-service/application'
import { configurationOfProcess, exitCodes, missingData } from '@publishing-service/composition-root'
import { E } from '@publishing-service/domain/fp'
import { apiVersion } from '@publishing-service/http-contract'
import { CommandFailure } from './command-failure.js'
import { adminCommand, type AdminCommand, type CommandResult } from './command.js'
import { invalidEnvironment, memoryHelp, onOwnData } from './on-own-data.js'
import { withProgress } from './progress-display.js'
import { upgradeReport } from './upgrade-report.js'

/** The free bytes where the data is; null if it is on a server. */
const freeSpace = async (folder: string | null): Promise<number | null> => {
  if (folder === null) return null
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

const check = async (): Promise<CommandResult> => {
  const found = await configurationOfProcess()
  if (E.isLeft(found)) throw invalidEnvironment(found.left)
  const { configuration } = found.right
  const { documentStore, DATA_DIR } = configuration
  if (documentStore.medium === 'memory') throw invalidEnvironment([memoryHelp])
  if (documentStore.examine === null)
    throw new CommandFailure(exitCodes.refused, [
      'this kind of store does not say beforehand what an upgrade does; the start of the service writes it to the log',
    ])
  const place = await documentStore.place(configuration)
  const isNew = (await missingData(configuration)) !== null
  const examined = isNew ? null : await documentStore.examine(configuration, plannedBy)
  if (examined === null || !hasData(examined))
    return {
      value: { release: apiVersion, up_to_date: true, steps: [], seconds: 0, bytes: 0, free_bytes: null },
      text: `There is no data in ${place}: a start of the service creates it.`,
    }
  return upgradeReport(examined, place, await freeSpace(documentStore.medium === 'folder' ? DATA_DIR : null))
}

const upgrade = onOwnData(async ({ completePlaces, completeComputed }) => {
  const [result, seconds] = await withProgress(async () => ({
    places: await completePlaces(),
    computed: await completeComputed(),
  }))
  return {
    value: { release: apiVersion, ...result, seconds },
    text: `The documents are up to date with release ${apiVersion}.`,
  }
})

export const upgradeCommand: AdminCommand = adminCommand<{ readonly check?: true }>({
  name: 'upgrade',
  summary: 'bring the data to this release, or say beforehand what that does',
  description:
    'Brings data of an earlier release to this one, as a start of the service does, but without a service. With --check, ' +
    'says what will be done, how long it takes and how much space it needs, and changes nothing.',
  options: [new Option('--check', 'change nothing: print what would be done')],
  json: '{"release": …, "up_to_date": …, "steps": […], "seconds": …, "bytes": …, "free_bytes": …}',
  help: `Make a backup first: older releases may not read the data afterwards. --check can run beside the services of the
earlier release. The exit code of --check is 1 if there is not enough space.

`,
  examples: ['upgrade --check', 'upgrade'],
  run: ({ check: isChecked }) => (isChecked === true ? check : upgrade),
})
