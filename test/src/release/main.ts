/**
 * `npm run release`: makes and checks a whole release. With `--dry-run`, nothing changes; without, it is committed and tagged, and
 * the commands that publish it are printed (docs/contributing.md#release).
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repositoryPage } from '../packages/pack.js'
import { makeArtefacts } from './artefacts.js'
import { commitRelease } from './commit-release.js'
import { inDependencyOrder } from './manifests.js'
import { readOptions, usage, type Options } from './options.js'
import { planRelease, readCheckout } from './preconditions.js'
import { faultList, publishCommands, summaryOf } from './summary.js'

const print = (text: string): void => void process.stdout.write(`${text}\n\n`)

const refuse = (faults: readonly string[]): void => {
  print(faultList(faults))
  process.exitCode = 1
}

const releaseTo = async (folder: string, options: Options): Promise<void> => {
  const { dryRun, withImage } = options
  const checkout = await readCheckout()
  const { plan, faults } = planRelease(checkout, options)
  if (plan === null || faults.length > 0) return refuse(faults)
  const made = await makeArtefacts(plan, { folder, withImage, needsImage: !dryRun })
  print(summaryOf(plan, made))
  if (made.faults.length > 0) return refuse(made.faults)
  if (dryRun) return print('The release can be made. Nothing was changed.')
  await commitRelease(plan, checkout.changelog, new Date().toISOString().slice(0, 10))
  const order = inDependencyOrder(checkout.manifests)
  const commands = publishCommands(made, order, await repositoryPage(), plan.version)
  print(`v${plan.version} is committed and tagged. What publishes it:\n\n${commands.join('\n')}`)
}

const release = async (options: Options): Promise<void> => {
  if (options.to !== null) return releaseTo(options.to, options)
  const folder = await mkdtemp(join(tmpdir(), 'release-'))
  try {
    await releaseTo(folder, options)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

try {
  const options = readOptions(process.argv.slice(2))
  if (options === null) process.stdout.write(usage)
  else await release(options)
} catch (error) {
  const cause = error instanceof Error && error.cause instanceof Error ? `\n${error.cause.message}` : ''
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}${cause}\n`)
  process.exitCode = 1
}
