/** Both adapters return the same image: the same size, and no visible difference. */
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { openBothAdapters, pictures, type BothAdapters } from './compare-adapters.js'

/** The share of pixels with a visible difference, and the mean difference of samples, 0 to 255. */
const limits = { differing: 0.005, distance: 6 }
/** Patterns finer than the scaled pixels become grey; the shade depends on the filter. */
const limitsOfPatterns: Readonly<Record<string, typeof limits>> = {
  'a PNG of one bit a pixel': { differing: 0.1, distance: 10 },
  'an interlaced PNG': { differing: 0.01, distance: 8 },
}

describe('both imaging adapters', function () {
  this.timeout(120_000)
  let both: BothAdapters
  before(() => {
    both = openBothAdapters()
  })
  after(() => both.close())

  for (const picture of pictures)
    it(`return the same for ${picture.name}`, async () => {
      const { size, sizes, differing, distance } = await both.compare(picture)
      expect(sizes[0]).to.equal(sizes[1])
      expect(sizes[0]).to.contain(`${size.width} × ${size.height}`)
      const { differing: maxDiffering, distance: maxDistance } = limitsOfPatterns[picture.name] ?? limits
      expect(differing, 'share of pixels that differ').to.be.at.most(maxDiffering)
      expect(distance, 'mean difference').to.be.at.most(maxDistance)
    })
})
