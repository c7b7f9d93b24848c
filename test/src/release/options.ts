/** The command line of `npm run release`. */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { isRelease } from './version.js'

export const usage = `npm run release -- [options]

  --dry-run        make and check everything, change nothing
  --to FOLDER      an empty folder for packages, notes and bill of materials (a dry run: a temporary one)
  --next X.Y.Z     the release after this one (the next minor)
  --without-image  make no image
  --uncommitted    a dry run of the working tree with its changes
`

export type Options = {
  readonly dryRun: boolean
  /** The absolute path of the folder for what is made; null for a temporary one. */
  readonly to: string | null
  readonly next: string | null
  readonly withImage: boolean
  readonly uncommitted: boolean
}

/** The options of a command line; null if help was requested. Throws an Error with a message for the user. */
export const readOptions = (args: readonly string[]): Options | null => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      'dry-run': { type: 'boolean', default: false },
      to: { type: 'string' },
      next: { type: 'string' },
      'without-image': { type: 'boolean', default: false },
      uncommitted: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return null
  const { 'dry-run': dryRun, 'without-image': withoutImage, to, next = null, uncommitted } = values
  const faults = [
    ...(next === null || isRelease(next) ? [] : [`--next is ${next}: it must be X.Y.Z`]),
    ...(dryRun || to !== undefined
      ? []
      : ['--to is missing: a release needs a folder for what is published']),
    ...(dryRun || !uncommitted ? [] : ['--uncommitted is for a dry run: a release is made of a commit']),
  ]
  if (faults.length > 0) throw new Error(`${faults.join('\n')}\n\n${usage}`)
  return { dryRun, to: to === undefined ? null : resolve(to), next, withImage: !withoutImage, uncommitted }
}
