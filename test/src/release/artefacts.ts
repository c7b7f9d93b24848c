/** What a release consists of, made and checked in a folder: packages, notes, bill of materials, image. */
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../documentation/documents.js'
import { packageNames, packPackages, repositoryPage, tarballOf } from '../packages/pack.js'
import { packageFaults } from '../packages/package-faults.js'
import { makeBillOfMaterials } from './bill-of-materials.js'
import { componentsOf } from './bill.js'
import { buildImage, findEngine, type Image } from './image.js'
import { judgeLicences } from './licences.js'
import type { Plan } from './preconditions.js'
import { committedPaths, textsWithVersion, withVersionIn } from './repository.js'

type Packed = {
  /** The name it is published by. */
  readonly name: string
  readonly path: string
  readonly bytes: number
}

export type Artefacts = {
  readonly packages: readonly Packed[]
  readonly components: number
  /** The number of components by licence. */
  readonly licences: Readonly<Record<string, number>>
  readonly image: Image
  readonly faults: readonly string[]
}

const packAndCheck = async (folder: string, { version, development }: Plan) => {
  await packPackages(folder, packageNames, version)
  const faults: string[] = []
  const packages: Packed[] = []
  for (const name of packageNames) {
    const path = join(folder, tarballOf(name, version))
    const data = await readFile(path)
    packages.push({ name: `@publishing-service/${name}`, path, bytes: data.length })
    const found = await packageFaults(data, { version, development, directory: `packages/${name}` })
    faults.push(...found.map((fault) => `${name}: ${fault}`))
  }
  return { packages, faults }
}

/** The image is built of copies of the committed files that have the version of the release. */
const imageOf = async ({ version, development }: Plan): Promise<Image> => {
  const engine = await findEngine()
  if ('reason' in engine) return { _tag: 'NotBuilt', reason: engine.reason }
  const context = await mkdtemp(join(tmpdir(), 'image-of-release-'))
  try {
    for (const path of await committedPaths()) await cp(join(root, path), join(context, path))
    for (const [path, text] of withVersionIn(await textsWithVersion(development), development, version))
      await writeFile(join(context, path), text)
    return await buildImage(engine, { context, version, source: await repositoryPage() })
  } finally {
    await rm(context, { recursive: true, force: true })
  }
}

export type Order = {
  readonly folder: string
  readonly withImage: boolean
  /** Whether a missing image is a fault. */
  readonly needsImage: boolean
}

const imageFaults = (image: Image, needed: boolean): readonly string[] => {
  if (image._tag === 'Faulty') return [image.fault]
  if (image._tag === 'NotBuilt' && needed)
    return [`there is no image: ${image.reason}; or release with --without-image`]
  return []
}

/** Makes all of a release but its commits. The folder must be empty or absent. */
export const makeArtefacts = async (plan: Plan, order: Order): Promise<Artefacts> => {
  const { folder, withImage, needsImage } = order
  await mkdir(folder, { recursive: true })
  if ((await readdir(folder)).length > 0) throw new Error(`${folder} is not empty`)
  const { packages, faults } = await packAndCheck(folder, plan)
  const { bill, faults: billFaults } = await makeBillOfMaterials(plan.development, plan.version)
  const { counts, faults: licenceFaults } = judgeLicences(bill)
  await Promise.all([
    writeFile(join(folder, 'notes.md'), `${plan.notes}\n`),
    writeFile(join(folder, 'bill-of-materials.cdx.json'), `${JSON.stringify(bill, null, 2)}\n`),
  ])
  const image: Image = withImage
    ? await imageOf(plan)
    : { _tag: 'NotBuilt', reason: '--without-image is given' }
  return {
    packages,
    components: componentsOf(bill).length,
    licences: counts,
    image,
    faults: [...faults, ...billFaults, ...licenceFaults, ...imageFaults(image, needsImage && withImage)],
  }
}
