import { E } from '@publishing-service/domain/fp'
import type { Rendering } from '@publishing-service/domain/images'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { checkedScaling, imageUnreadable } from './imaging.js'
import { portFailure } from './port-failure.js'
import type { SizedBody } from './sized-body.js'

const limits = { mebibytes: 64, milliseconds: 1000 }
const size = { width: 3, height: 2 }
const rendering: Rendering = { size, region: null, format: null, quality: 'high' }
const summary = { colour: '#000000', isOpaque: true, picture: '' }
const scaled = new Uint8Array([1])

const originalOf = (bytes: number): SizedBody<never> => ({
  bytes,
  open: async () => {
    throw new Error('opened')
  },
})

const counted = () => {
  const calls: string[] = []
  const scaling = checkedScaling(limits, {
    scale: () => async () => {
      calls.push('scale')
      return E.right(scaled)
    },
    summarise: () => async () => {
      calls.push('summarise')
      return E.right(summary)
    },
    close: async () => {
      calls.push('close')
    },
  })
  return { calls, scaling }
}

describe('checkedScaling', () => {
  it('scales an original that passes the checks', async () => {
    const { calls, scaling } = counted()
    expect(await scaling.scale(originalOf(10), rendering)()).to.deep.equal(E.right(scaled))
    expect(await scaling.summarise(originalOf(10))()).to.deep.equal(E.right(summary))
    expect(calls).to.deep.equal(['scale', 'summarise'])
  })

  it('throws a RangeError for an invalid size', async () => {
    const { calls, scaling } = counted()
    const thrown = await scaling
      .scale(originalOf(10), { ...rendering, size: { width: 0, height: 2 } })()
      .catch((error: unknown) => error)
    expect(thrown).to.be.instanceOf(RangeError)
    expect(calls).to.deep.equal([])
  })

  it('returns ImageUnreadable for an original with too many bytes', async () => {
    const { calls, scaling } = counted()
    const original = originalOf(Number.MAX_SAFE_INTEGER)
    for (const result of [await scaling.scale(original, rendering)(), await scaling.summarise(original)()])
      expect(result).to.have.nested.property('left._tag', imageUnreadable('')._tag)
    expect(calls).to.deep.equal([])
  })

  it('returns PortFailure after close was called', async () => {
    const { calls, scaling } = counted()
    const closing = scaling.close()
    const failure = E.left(portFailure('imaging', 'closed'))
    expect(await scaling.scale(originalOf(10), rendering)()).to.deep.equal(failure)
    expect(await scaling.summarise(originalOf(10))()).to.deep.equal(failure)
    await closing
    expect(calls).to.deep.equal(['close'])
  })
})
