/** Packs packages to the folder of the first argument: those that the others name, or all. */
import { resolve } from 'node:path'
import { packageNames, packPackages } from './pack.js'

const [, , destination, ...names] = process.argv
if (destination === undefined) throw new Error('name the folder to write the tarballs to')
const unknown = names.filter((name) => !packageNames.includes(name))
if (unknown.length > 0)
  throw new Error(`there is no package ${unknown.join(', ')}; there are ${packageNames.join(', ')}`)
await packPackages(resolve(destination), names.length === 0 ? packageNames : names)
