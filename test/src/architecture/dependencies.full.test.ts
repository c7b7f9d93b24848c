import { readdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { cruise, type ICruiseOptions, type ICruiseResult } from 'dependency-cruiser'
import { describe, it } from 'mocha'

const root = fileURLToPath(new URL('../../../', import.meta.url))

type Configuration = { readonly forbidden: readonly unknown[]; readonly options: ICruiseOptions }

const sources = async (): Promise<readonly string[]> => {
  const entries = await readdir(join(root, 'packages'), { recursive: true })
  return entries
    .filter(
      (path) => path.endsWith('.ts') && path.includes(`${sep}src${sep}`) && !path.includes('node_modules'),
    )
    .map((path) => join('packages', path))
}

describe('architecture', () => {
  it('allows only the listed dependencies between packages, and covers every module', async function () {
    this.timeout(60_000)
    const { forbidden, options } = createRequire(import.meta.url)(
      join(root, '.dependency-cruiser.cjs'),
    ) as Configuration
    const { output } = await cruise(['packages/*/src'], {
      ...options,
      baseDir: root,
      validate: true,
      ruleSet: { forbidden: [...forbidden] as never },
    })
    const { modules, summary } = output as ICruiseResult
    const seen = new Set(modules.map(({ source }) => source))
    const all = await sources()
    expect(all.length).to.be.greaterThan(150)
    expect(all.filter((path) => !seen.has(path.split(sep).join('/')))).to.deep.equal([])
    const imported = modules.flatMap(({ dependencies }) => dependencies.map(({ resolved }) => resolved))
    expect(imported, 'imports of another package').to.include('packages/domain/dist/index.d.ts')
    expect(summary.totalDependenciesCruised).to.be.greaterThan(all.length)
    expect(summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`)).to.deep.equal([])
  })
})
