// The compiler leaves its output of a source that was deleted or renamed. Such an output of a test would still run.
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Removes what the compiler has made in `dist` of sources that are not in `src` any more. */
export const removeOutputs = (project) => {
  const dist = join(project, 'dist')
  if (!existsSync(join(project, 'src')) || !existsSync(dist)) return
  for (const entry of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    if (!entry.endsWith('.d.ts')) continue
    const name = entry.slice(0, -'.d.ts'.length)
    const source = join(project, 'src', name)
    if (existsSync(`${source}.ts`) || existsSync(`${source}.tsx`)) continue
    for (const extension of ['.d.ts', '.js', '.js.map'])
      rmSync(join(dist, `${name}${extension}`), { force: true })
  }
}
