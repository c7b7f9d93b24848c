import { expect } from 'chai'
import { describe, it } from 'mocha'
import { withinMemory } from './within-memory.js'

describe('withinMemory', () => {
  it('returns the result, or why there is none when the process needs more memory', async () => {
    expect(await withinMemory(64, async () => 'done')).to.equal('done')
    const held: Buffer[] = []
    const endless = async (): Promise<never> => {
      held.push(Buffer.alloc(96 << 20, 1))
      return new Promise<never>(() => undefined)
    }
    expect(await withinMemory(64, endless)).to.deep.equal({
      _tag: 'OutOfMemory',
      reason: 'Scaling the image took more than 64 MB of memory.',
    })
  })
})
