/** Which licences of other packages a release may contain. */
import { isJsonList, isJsonObject, type Json } from '@publishing-service/domain/json'
import satisfies from 'spdx-satisfies'
import { componentsOf, type Bill, type Component } from './bill.js'

/** Permissive licences: they ask for their notice and nothing more. Names of SPDX. */
const allowedLicences: readonly string[] = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'PSF-2.0',
  'Python-2.0',
  'Unlicense',
  'Zlib',
]

type Exception = { readonly licence: string; readonly reason: string }

/** Packages whose manifest states no licence of the list, by name and version: another version is looked at anew. */
const exceptions: Readonly<Record<string, Exception>> = {
  'exif-parser@0.1.12': {
    licence: 'MIT',
    reason: 'package.json states none, and its LICENSE.md is that of MIT',
  },
  'ical.js@2.2.1': {
    licence: 'MPL-2.0',
    reason: 'it asks that changes to its own files are published: they are used as the registry has them',
  },
}

/** The licences that a component states: names and expressions of SPDX, or other names. */
const statedLicences = ({ licenses }: Component): readonly string[] => {
  const entries: readonly Json[] = isJsonList(licenses) ? licenses : []
  return entries.flatMap((entry) => {
    if (!isJsonObject(entry)) return []
    const { expression, license } = entry
    const stated = isJsonObject(license) ? (license['id'] ?? license['name']) : expression
    return typeof stated === 'string' ? [stated] : []
  })
}

/** Whether an expression can be fulfilled by licences of the list: `MIT OR GPL-3.0-only` can, with AND it cannot. */
const isAllowed = (expression: string): boolean => {
  try {
    return satisfies(expression, allowedLicences)
  } catch {
    // The library throws at what is no expression of SPDX, such as UNLICENSED.
    return false
  }
}

export type Judgement = {
  /** The number of components by what they state, the most frequent first. */
  readonly counts: Readonly<Record<string, number>>
  readonly faults: readonly string[]
}

/** Judges each component of a bill. An exception that is not needed is a fault too, so that the table stays true. */
export const judgeLicences = (
  bill: Bill,
  excepted: Readonly<Record<string, Exception>> = exceptions,
): Judgement => {
  const counts = new Map<string, number>()
  const needed = new Set<string>()
  const faults: string[] = []
  for (const component of componentsOf(bill)) {
    const stated = statedLicences(component)
    const { [component['bom-ref']]: exception } = excepted
    let licence = stated.join(' AND ')
    if (stated.length === 0 || !stated.every(isAllowed)) {
      needed.add(component['bom-ref'])
      if (exception === undefined)
        faults.push(
          `${component['bom-ref']} ${licence === '' ? 'states no licence' : `has the licence ${licence}, which is not on the list`}: ` +
            'replace the package, or add its licence or an exception with its reason to test/src/release/licences.ts',
        )
      else ({ licence } = exception)
    }
    if (licence !== '') counts.set(licence, (counts.get(licence) ?? 0) + 1)
  }
  for (const name of Object.keys(excepted))
    if (!needed.has(name))
      faults.push(`test/src/release/licences.ts has an exception that no package needs: ${name}`)
  return {
    counts: Object.fromEntries([...counts].toSorted(([, a], [, b]) => b - a)),
    faults,
  }
}
