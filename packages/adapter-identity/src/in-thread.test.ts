import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { inThread } from './in-thread.js'

type Module = { readonly double: (task: number) => Promise<number> }

const outcome = (call: Promise<number>): Promise<number | string> =>
  call.catch((error: unknown) => (error instanceof Error ? error.message : 'no error'))

describe('inThread', () => {
  it('rejects the calls of a program that cannot be loaded, and loads it again for the next call', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'in-thread-'))
    const file = join(directory, 'module.mjs')
    const run = inThread<Module>(pathToFileURL(file))
    expect(await outcome(run('double', 2))).to.match(/Cannot find module/)
    await writeFile(
      file,
      `import { answerCalls } from '${new URL('answer-calls.js', import.meta.url).href}'
       answerCalls({ double: async (task) => { if (task < 0) throw new Error('below zero'); return 2 * task } })`,
    )
    expect(await outcome(run('double', 2))).to.equal(4)
    expect(await outcome(run('double', -1))).to.equal('below zero')
    expect(await outcome(run('double', 3))).to.equal(6)
    await rm(directory, { recursive: true })
  })
})
