/** Every adapter declares the conformance suite of its port. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { declaredSuites } from './conformance-outline.js'
import { root } from './documents.js'

describe('the conformance suites', function () {
  this.timeout(60_000)

  it('are declared by every adapter that implements a port', async () => {
    const declared = await declaredSuites()
    const adapters = readdirSync(join(root, 'packages')).filter(
      // The HTTP adapter implements no port. It calls the use cases.
      (each) => each.startsWith('adapter-') && each !== 'adapter-koa',
    )
    expect(adapters.length).to.be.above(6)
    expect(declared.map((suite) => suite.folder)).to.include.members(
      adapters.map((each) => `packages/${each}`),
    )
  })
})
