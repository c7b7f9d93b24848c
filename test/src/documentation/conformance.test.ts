/** The suites of conformance ask for what the ports say, in the ports' own words, and each adapter declares its suite. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { contracts, type ContractName } from '@publishing-service/conformance'
import { expect } from 'chai'
import { before, describe, it } from 'mocha'
import { declaredSuites, type DeclaredSuite } from './conformance-outline.js'
import { sentencesOf } from './conformance-tables.js'
import { root } from './documents.js'

const names = Object.keys(contracts) as ContractName[]

const folder = join(root, 'packages/ports/src')
const ports = readdirSync(folder)
  .map((file) => readFileSync(join(folder, file), 'utf8'))
  .join('\n')

/** The sentences of a port's doc comment: its list, or all of it where it is one sentence. */
const sentencesOfPort = (type: string): readonly string[] => {
  const [until] = ports.split(`export type ${type} =`)
  const comment = until?.split('/**').at(-1)?.split('*/')[0]?.replaceAll('\n *', '\n') ?? ''
  const [head = '', ...list] = comment.split('\n - ')
  return (list.length > 0 ? list : [head]).map((sentence) => sentence.replaceAll(/\s+/g, ' ').trim())
}

describe('The suites of conformance', function () {
  this.timeout(60_000)
  let declared: readonly DeclaredSuite[] = []
  before(async () => {
    declared = await declaredSuites()
  })

  for (const name of names)
    it(`${contracts[name].port}: title their tests with each sentence of the port`, () => {
      const written = sentencesOfPort(`${name[0]?.toUpperCase()}${name.slice(1)}`)
      expect(written.length).to.be.above(0)
      const titles = sentencesOf(declared.filter(({ contract }) => contract === name))
      expect(titles).to.include.members([...written])
    })

  it('are declared by every adapter that fulfils a port', () => {
    const adapters = readdirSync(join(root, 'packages')).filter(
      // HTTP is nobody's port: it calls the use cases.
      (each) => each.startsWith('adapter-') && each !== 'adapter-koa',
    )
    expect(adapters.length).to.be.above(6)
    expect(declared.map((suite) => suite.folder)).to.include.members(
      adapters.map((each) => `packages/${each}`),
    )
  })
})
