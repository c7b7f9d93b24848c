/** The bill of materials of a release in CycloneDX, made by npm from the lock file, and checked by its schema. */
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { isJsonObject, type JsonObject } from '@publishing-service/domain/json'
import { root } from '../documentation/documents.js'
import { runScript } from '../documentation/shell.js'
import { objectOf, readObject, textOf } from '../packages/json-members.js'
import { completeBill, missingComponents, type Bill, type Bundled } from './bill.js'
import { withVersion } from './version.js'

/** The bill of the lock file, whatever is installed here: a release of Node or a platform leaves optional packages out. */
const billOfLockFile = async (): Promise<Bill> => {
  const script = 'npm sbom --sbom-format cyclonedx --package-lock-only'
  const bill: unknown = JSON.parse(await runScript(script, { directory: root }))
  if (!isJsonObject(bill)) throw new Error('npm wrote no bill of materials')
  return bill
}

const nameWithVersion = (object: JsonObject): string =>
  `${textOf(object, 'name')}@${textOf(object, 'version')}`

/** What the dashboard contains, from the list of licences that its build writes beside it. */
const bundledInDashboard = async (): Promise<readonly string[]> => {
  const path = join(root, 'packages/dashboard/dist/web/licences.json')
  const listed: unknown = JSON.parse(await readFile(path, 'utf8'))
  if (!Array.isArray(listed)) throw new Error(`${path} is not a list`)
  return listed.filter(isJsonObject).map(nameWithVersion)
}

/** The reference page contains Swagger UI as it is published, in exactly the version of its manifest. */
const bundledInReferencePage = async (): Promise<readonly string[]> => {
  const manifest = await readObject(join(root, 'packages/reference-page/package.json'))
  const name = 'swagger-ui-dist'
  return [`${name}@${textOf(objectOf(manifest, 'devDependencies'), name)}`]
}

/** What CycloneDX 1.5 does not allow; npm writes that version. */
const schemaFaults = async (bill: string): Promise<readonly string[]> => {
  const error: unknown = await new Validation.JsonStrictValidator(Spec.Version.v1dot5).validate(bill)
  return error === null ? [] : [`the bill of materials breaks its schema: ${JSON.stringify(error)}`]
}

export type BillOfMaterials = { readonly bill: Bill; readonly faults: readonly string[] }

/** The bill of a release, of all that its packages contain or need. */
export const makeBillOfMaterials = async (development: string, version: string): Promise<BillOfMaterials> => {
  const [all, lock, dashboard, referencePage, manifest] = await Promise.all([
    billOfLockFile(),
    readObject(join(root, 'package-lock.json')),
    bundledInDashboard(),
    bundledInReferencePage(),
    readObject(join(root, 'package.json')),
  ])
  const bundled: Bundled = {
    '@publishing-service/dashboard': dashboard,
    '@publishing-service/reference-page': referencePage,
  }
  const parts = { all, lock, bundled, name: textOf(manifest, 'name') }
  const complete = completeBill(parts)
  const text = withVersion(JSON.stringify(complete), development, version)
  const bill: unknown = JSON.parse(text)
  if (!isJsonObject(bill)) throw new Error('a bill is an object')
  return {
    bill,
    faults: [
      ...(await schemaFaults(text)),
      ...missingComponents(complete, parts),
      ...(text.includes(dirname(root)) ? [`the bill of materials names the folder ${dirname(root)}`] : []),
    ],
  }
}
