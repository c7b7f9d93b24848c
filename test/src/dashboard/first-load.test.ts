/** What a browser loads before the sign-in is small. */
import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { webDirectory } from '@publishing-service/dashboard'

const maxBytes = 350_000

/** The files that these files load at once, themselves included. */
const loadedBy = async (names: readonly string[]): Promise<ReadonlyMap<string, Buffer>> => {
  const found = new Map<string, Buffer>()
  const add = async (name: string): Promise<void> => {
    if (found.has(name)) return
    const body = await readFile(new URL(`assets/${name}`, webDirectory))
    found.set(name, body)
    if (!name.endsWith('.js')) return
    // Static imports only: `import(…)` loads later.
    for (const [, imported = ''] of body.toString().matchAll(/\b(?:from|import)\s*"\.\/([^"]+)"/g))
      await add(imported)
  }
  for (const name of names) await add(name)
  return found
}

describe('the first load of the dashboard', () => {
  it(`has at most ${maxBytes / 1000} kB, compressed`, async () => {
    const page = await readFile(new URL('index.html', webDirectory), 'utf8')
    const names = [...page.matchAll(/(?:src|href)="\.\/assets\/([^"]+)"/g)].map(([, name = '']) => name)
    const files = [...(await loadedBy(names)).values(), Buffer.from(page)]
    const bytes = files.reduce((sum, body) => sum + gzipSync(body).length, 0)
    expect(names.some((name) => name.endsWith('.js'))).to.equal(true)
    expect(bytes).to.be.greaterThan(100_000).and.lessThanOrEqual(maxBytes)
  })
})
