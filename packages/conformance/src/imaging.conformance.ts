/**
 * The contract of the imaging port as a mocha suite. Each sentence of the port's doc comment is the title of its tests.
 */
import { portFailure, type ImageReading, type Imaging, type SizedBody } from '@publishing-service/ports'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { declareContract, testSentence } from './contract.js'
import { brokenImages } from './imaging-broken.conformance.js'
import { coloursAndFrames } from './imaging-colours.conformance.js'
import {
  edgeCases,
  pngWithFalseSize,
  bodyOf,
  cmykJpeg,
  colourDistance,
  decoded,
  exifBlock,
  joined,
  jpegInfo,
  jpegOf,
  meanColour,
  palettePng,
  photograph,
  photographs,
  quarterColours,
  quarters,
  seededBytes,
  storedWithOrientation,
  otherFormats,
  withExif,
  withoutProfile,
  type ImageInfo,
} from './imaging-fixtures.js'
import {
  infoOf,
  generousLimits,
  valueOfResult,
  scaledTo,
  tagOf,
  type ScalingResult,
  type ImagingConformance,
  type ImagingSuite,
} from './imaging-suite.js'
import { renderings } from './imaging-renderings.conformance.js'
import { sampleFrom, sampleTitle } from './extent.js'
import { E, TE } from '@publishing-service/domain/fp'
import type { Rendering, Size } from '@publishing-service/domain/images'

const corners: readonly (readonly [number, number, number, number])[] = [
  [0.05, 0.05, 0.4, 0.4],
  [0.6, 0.05, 0.95, 0.4],
  [0.05, 0.6, 0.4, 0.95],
  [0.6, 0.6, 0.95, 0.95],
]

/** How many sizes a photograph and a small image are scaled to: a large one needs seconds, and there are many small ones. */
const [sampled, sampledOfSmall] = [1, 2]

const sizesFor = ({ width, height }: Size): readonly Size[] => [
  { width: Math.ceil(width / 2), height: Math.ceil(height / 2) },
  { width: Math.ceil(width / 3), height },
  { width, height: Math.ceil(height / 7) },
  { width, height },
  { width: 1, height: 1 },
]

/** Declares the suite for one adapter. */
export const imagingConformance = (options: ImagingConformance): void => {
  const { open, deviations = {} } = options
  declareContract('imaging', options, 120_000, () => {
    let imaging: Imaging
    before(() => {
      imaging = open({ parallel: 1, job: generousLimits })
    })
    after(() => imaging.close())

    // A copy, since the adapter may change the data and the fixtures are used again.
    const render = (data: Uint8Array, rendering: Rendering): Promise<ScalingResult<Uint8Array>> =>
      imaging.scale(bodyOf(new Uint8Array(data)), rendering)()
    const scale = (data: Uint8Array, size: Size): Promise<ScalingResult<Uint8Array>> =>
      render(data, scaledTo(size))
    const isSupported = (mimetype: string): boolean => imaging.formats.some((each) => each === mimetype)

    const suite: ImagingSuite = { open, deviations, imaging: () => imaging, scale, render }

    it('states its version and its formats, which include JPEG, PNG, GIF and WebP', () => {
      expect(imaging.version).to.match(/^[a-z0-9][a-z0-9.-]*$/)
      for (const format of ['image/jpeg', 'image/png', 'image/gif', 'image/webp'])
        expect(isSupported(format), format).to.equal(true)
    })

    it('throws for an invalid size: a defect of the caller', async () => {
      for (const size of [
        { width: 0, height: 1 },
        { width: 1.5, height: 1 },
        { width: 1, height: NaN },
      ])
        expect(await scale(palettePng(8), size).catch((error: unknown) => error)).to.be.instanceOf(RangeError)
    })

    describe('A header is read from streamed data, however it is split into chunks; the size is that of the upright image.', () => {
      const read = (data: Uint8Array, chunkBytes: number): ReturnType<ImageReading['end']> => {
        const reading = imaging.readHeader()
        for (let at = 0; at < data.length && !reading.isDone(); at += chunkBytes)
          reading.push(data.subarray(at, at + chunkBytes))
        return reading.end(data.length)
      }

      for (const { file, mimetype, width, height } of photographs)
        it(`of ${file}`, async () => {
          const data = await photograph(file)
          for (const chunkBytes of [7, 65_536, data.length])
            expect(read(data, chunkBytes)).to.deep.equal(
              E.right({ width, height, format: mimetype, isCmyk: false }),
            )
        })

      it('of a rotated JPEG', () => {
        const data = withExif(jpegOf(storedWithOrientation(6, quarters(96, 64))), exifBlock(6, true))
        expect(read(data, 100)).to.deep.equal(
          E.right({ width: 96, height: 64, format: 'image/jpeg', isCmyk: false }),
        )
      })

      it('of a JPEG in CMYK', () => {
        expect(read(cmykJpeg, 100)).to.have.nested.property('right.isCmyk', true)
      })

      it('data that is not an image, or too short for the size in its header, returns a reason', () => {
        for (const data of [pngWithFalseSize(9000, 9000), new Uint8Array(0), seededBytes(100, 1)])
          expect(read(data, 100))
            .to.have.property('left')
            .that.matches(/^[A-Z][^\n\\/{}<>]{8,}\.$/)
      })
    })

    describe('A scaled image has exactly the requested size, and the requested format or that of the original.', () => {
      const expectEachSize = async (
        data: Uint8Array,
        info: ImageInfo,
        sizes: readonly Size[],
      ): Promise<void> => {
        for (const size of sizes) {
          const scaled = valueOfResult(await scale(data, size))
          expect(infoOf(scaled)).to.deep.equal({ mimetype: info.mimetype, ...size })
          if (info.mimetype !== 'image/webp') expect(decoded(scaled)).to.include(size)
        }
      }

      for (const { file, ...info } of photographs) {
        const sizes = sizesFor(info)
        it(`${file} is scaled to each size${sampleTitle(sampled, sizes.length)}`, async () =>
          expectEachSize(await photograph(file), info, sampleFrom(sizes, sampled)))

        it(`${file} looks the same`, async () => {
          const original = withoutProfile(await photograph(file))
          const size = { width: Math.round(info.width / 3.3), height: Math.round(info.height / 3.3) }
          const [scaled, whole] = [decoded(valueOfResult(await scale(original, size))), decoded(original)]
          for (const corner of corners)
            expect(colourDistance(meanColour(scaled, corner), meanColour(whole, corner))).to.be.below(8)
        })
      }

      for (const [name, { data, ...info }] of Object.entries({ ...edgeCases, ...otherFormats })) {
        const sizes = sizesFor(info)
        it(`${name} is scaled to each size${sampleTitle(sampledOfSmall, sizes.length)}`, () =>
          expectEachSize(data, info, sampleFrom(sizes, sampledOfSmall)))
      }

      testSentence(
        'preserves transparency, and the colours next to it',
        deviations.losesTransparency,
        async () => {
          const scaled = decoded(valueOfResult(await scale(palettePng(40), { width: 10, height: 10 })))
          expect(meanColour(scaled, [0, 0, 0.2, 0.2])[3]).to.equal(0)
          expect(colourDistance(meanColour(scaled, [0.4, 0.4, 0.6, 0.6]), [220, 20, 30, 255])).to.be.below(4)
        },
      )

      it('reads an image that is part of a larger buffer', async () => {
        const larger = joined(seededBytes(1001, 3), await photograph('rocket.jpg'), seededBytes(999, 4))
        const inside = larger.subarray(1001, larger.length - 999)
        const scaled = await imaging.scale(bodyOf(inside), scaledTo({ width: 64, height: 43 }))()
        expect(infoOf(valueOfResult(scaled))).to.deep.equal(jpegInfo(64, 43))
      })
    })

    describe('The EXIF orientation is applied, and sizes are those of the upright image.', () => {
      const upright = quarters(96, 64)
      const expectQuarters = (image: Uint8Array): void => {
        const shown = decoded(image)
        for (const [at, colour] of quarterColours.entries())
          expect(colourDistance(meanColour(shown, corners[at] ?? [0, 0, 1, 1]), colour)).to.be.below(12)
      }

      const scaledWith = async (orientation: number, littleEndian: boolean): Promise<Uint8Array> => {
        const stored = jpegOf(storedWithOrientation(orientation, upright))
        const image = withExif(stored, exifBlock(orientation, littleEndian))
        expect(infoOf(image)).to.deep.equal(jpegInfo(96, 64))
        const scaled = valueOfResult(await scale(image, { width: 48, height: 32 }))
        expect(infoOf(scaled)).to.deep.equal(jpegInfo(48, 32))
        expectQuarters(scaled)
        return scaled
      }

      // The byte order changes how an orientation is read, not what it means.
      for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
        const littleEndian = orientation % 2 === 0
        it(`orientation ${orientation}, written ${littleEndian ? 'little' : 'big'} endian`, () =>
          scaledWith(orientation, littleEndian))
      }

      for (const orientation of [3, 8])
        it(`orientation ${orientation} is not applied again to the scaled image`, async () => {
          const scaled = await scaledWith(orientation, orientation === 3)
          const again = valueOfResult(await scale(scaled, { width: 30, height: 31 }))
          expect(decoded(again)).to.include({ width: 30, height: 31 })
          expectQuarters(again)
        })

      for (const orientation of [0, 9, 65_535])
        it(`orientation ${orientation}, which is invalid, means upright`, async () => {
          const image = withExif(jpegOf(upright), exifBlock(orientation, true))
          expect(infoOf(image)).to.deep.equal(jpegInfo(96, 64))
          expectQuarters(valueOfResult(await scale(image, { width: 48, height: 32 })))
        })

      it('an invalid EXIF block means upright', async () => {
        const image = withExif(
          jpegOf(upright),
          joined(exifBlock(6, true).subarray(0, 20), seededBytes(40, 5)),
        )
        expect(infoOf(image)).to.deep.equal(jpegInfo(96, 64))
        expectQuarters(valueOfResult(await scale(image, { width: 48, height: 32 })))
      })
    })

    coloursAndFrames(suite)
    renderings(suite)
    brokenImages(suite)

    describe('Scaling never blocks the event loop: it runs outside the calling thread.', () => {
      it('the calling thread executes other work meanwhile', async () => {
        const scaled = { isDone: false }
        const result = scale(await photograph('rocket.jpg'), { width: 600, height: 400 })
        void result.then(() => (scaled.isDone = true))
        let turns = 0
        for (; !scaled.isDone; turns += 1) await new Promise((resolve) => setImmediate(resolve))
        valueOfResult(await result)
        // On the calling thread, it would take a few turns.
        expect(turns).to.be.above(100)
      })
    })

    describe('An original that cannot be opened or read, or has another length than declared, fails only its own job.', () => {
      const size = { width: 10, height: 10 }
      const failsAlone = async (original: SizedBody<unknown>, failure: unknown): Promise<void> => {
        expect(await imaging.scale(original, scaledTo(size))()).to.deep.equal(E.left(failure))
        valueOfResult(await scale(palettePng(40), size))
      }

      it('returns the failure of opening it', () =>
        failsAlone({ bytes: 100, open: TE.left({ _tag: 'CannotOpen' }) }, { _tag: 'CannotOpen' }))

      it('returns the PortFailure that ended its chunks', async () => {
        const failure = portFailure('blob store', 'the disk is broken')
        const { bytes, open: whole } = bodyOf(await photograph('rocket.jpg'))
        async function* breaking(): AsyncGenerator<Uint8Array> {
          yield* valueOfResult(await whole())
          throw failure
        }
        await failsAlone({ bytes: bytes + 1, open: TE.right(breaking()) }, failure)
      })

      it('rejects with what else ended its chunks', async () => {
        const reason = { _tag: 'Damaged' }
        async function* breaking(): AsyncGenerator<Uint8Array> {
          yield new Uint8Array(10)
          throw reason
        }
        const scaling = imaging.scale({ bytes: 100, open: TE.right(breaking()) }, scaledTo(size))()
        expect(await scaling.catch((error: unknown) => error)).to.equal(reason)
        valueOfResult(await scale(palettePng(40), size))
      })

      it('returns PortFailure for fewer or more bytes than declared', async () => {
        const original = bodyOf(await photograph('rocket.jpg'))
        for (const more of [-1, 1]) {
          const result = await imaging.scale({ ...original, bytes: original.bytes + more }, scaledTo(size))()
          expect(tagOf(result)).to.equal('PortFailure')
          valueOfResult(await scale(palettePng(40), size))
        }
      })
    })

    describe('At most `parallel` jobs run concurrently; the caller queues the others.', () => {
      it('states how many, and completes more jobs than that', async () => {
        const wide = open({ parallel: 2, job: generousLimits })
        try {
          expect(wide.parallel).to.equal(2)
          const sides = [10, 11, 12, 13]
          const results = await Promise.all(
            sides.map((side) =>
              wide.scale(bodyOf(jpegOf(quarters(200, 200))), scaledTo({ width: side, height: side }))(),
            ),
          )
          expect(results.map((result) => infoOf(valueOfResult(result)).width)).to.deep.equal(sides)
        } finally {
          await wide.close()
        }
      })
    })

    describe('After it is closed it returns PortFailure.', () => {
      it('and closing is idempotent', async () => {
        const closed = open({ parallel: 1, job: generousLimits })
        await closed.close()
        await closed.close()
        expect(
          tagOf(await closed.scale(bodyOf(palettePng(8)), scaledTo({ width: 4, height: 4 }))()),
        ).to.equal('PortFailure')
      })
    })
  })
}
