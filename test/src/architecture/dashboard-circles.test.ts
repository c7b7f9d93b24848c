/** No modules of the dashboard import each other in a circle. dependency-cruiser and oxlint do not follow imports of TSX. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { root } from '../documentation/documents.js'

type Imports = ReadonlyMap<string, readonly string[]>

/** The modules that each module loads. Imports of types and functions that load later are none. */
const importsIn = (sources: ReadonlyMap<string, string>): Imports =>
  new Map(
    [...sources].map(([path, text]) => [
      path,
      [...text.matchAll(/^(?:import|export) (?!type )(?:[^'";]*? from )?'(\.[^']+)\.js'/gm)].flatMap(
        ([, imported = '']) =>
          ['.ts', '.tsx']
            .map((end) => join(dirname(path), imported) + end)
            .filter((each) => sources.has(each)),
      ),
    ]),
  )

/** Circles of imports, as lists of modules that end with the first. */
const circlesOf = (imports: Imports): readonly (readonly string[])[] => {
  const circles: (readonly string[])[] = []
  const walked = new Set<string>()
  const walk = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path)
    if (start >= 0) circles.push([...trail.slice(start), path])
    if (walked.has(path)) return
    walked.add(path)
    for (const each of imports.get(path) ?? []) walk(each, [...trail, path])
  }
  for (const path of imports.keys()) walk(path, [])
  return circles
}

const folder = join(root, 'packages/dashboard/src')
const sources = new Map(
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => [path, readFileSync(join(folder, path), 'utf8')] as const),
)

describe('modules of the dashboard', () => {
  it('do not import each other in a circle', () => {
    const imports = importsIn(sources)
    expect([...imports.values()].flat().filter((path) => path.endsWith('.tsx')).length).to.be.above(100)
    expect(circlesOf(imports)).to.deep.equal([])
  })

  it('are found in a circle', () => {
    const circle = new Map([
      ['a.tsx', "import { B } from './parts/b.js'\nimport type { C } from './c.js'"],
      ['parts/b.tsx', "import {\n  A,\n} from '../a.js'"],
      ['c.ts', "export { A } from './a.js'"],
    ])
    expect(circlesOf(importsIn(circle))).to.deep.equal([['a.tsx', 'parts/b.tsx', 'a.tsx']])
  })
})
