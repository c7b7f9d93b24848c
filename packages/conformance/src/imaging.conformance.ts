/**
 * What every imaging adapter promises, as tests: each sentence of the port's comment is a block in the same words.
 * Call it from a mocha test file; what an adapter can't keep it states as a deviation, with the reason.
 */
import { E } from '@publishing-service/domain'
import type { ImageInfo, ImageUnreadable, Imaging, PortFailure } from '@publishing-service/ports'
import { expect } from 'chai'
import fc from 'fast-check'
import { after, before, describe, it } from 'mocha'
import { performance } from 'node:perf_hooks'
import { type Conformance, declareContract, keeps } from './contract.js'
import {
  awkward,
  boastful,
  boastfulJpeg,
  boastfulPng,
  colourDistance,
  decoded,
  exifBlock,
  gifOf,
  joined,
  jpegInfo,
  jpegOf,
  meanColour,
  noPicture,
  palettePng,
  photograph,
  photographs,
  pngInfo,
  pngOf,
  quarterColours,
  quarters,
  rubbish,
  storedFor,
  withExif,
} from './imaging-fixtures.js'

export type ImagingUnderTest = {
  readonly imaging: Imaging
  /** How many jobs may run and wait together, before the next is turned away. */
  readonly capacity: number
  readonly dispose: () => Promise<void>
}

/** `open` makes the adapter that all tests use. */
export type ImagingConformance = Conformance<'imaging', () => Promise<ImagingUnderTest>>

type Answer<A> = E.Either<PortFailure | ImageUnreadable, A>
type Size = { readonly width: number; readonly height: number }

const corners: readonly (readonly [number, number, number, number])[] = [
  [0.05, 0.05, 0.4, 0.4],
  [0.6, 0.05, 0.95, 0.4],
  [0.05, 0.6, 0.4, 0.95],
  [0.6, 0.6, 0.95, 0.95],
]

const right = <A>(answer: Answer<A>): A => {
  if (E.isLeft(answer)) throw new Error(`answered ${JSON.stringify(answer.left)}`)
  return answer.right
}

const tag = (answer: Answer<unknown>): string => (E.isLeft(answer) ? answer.left._tag : 'Right')

/** Reasons go to clients: a sentence, without paths, stacks or the names of what is behind. */
const expectUnreadable = (answer: Answer<unknown>): void => {
  expect(tag(answer)).to.equal('ImageUnreadable')
  if (E.isLeft(answer) && answer.left._tag === 'ImageUnreadable')
    expect(answer.left.reason).to.match(/^[A-Z][^\n\\/{}<>]{8,}\.$/)
}

const sizesFor = ({ width, height }: Size): readonly Size[] => [
  { width: Math.ceil(width / 2), height: Math.ceil(height / 2) },
  { width: Math.ceil(width / 3), height },
  { width, height: Math.ceil(height / 7) },
  { width, height },
  { width: 1, height: 1 },
]

/** Declares the suite for one adapter; see `Imaging` in the ports for what it asks. */
export const imagingConformance = (options: ImagingConformance): void => {
  const { open, deviations = {} } = options
  declareContract('imaging', options, 30_000, () => {
    let opened: ImagingUnderTest
    before(async () => {
      opened = await open()
    })
    after(() => opened.dispose())

    const probe = (data: Uint8Array): Promise<Answer<ImageInfo>> => opened.imaging.probe(data)()
    const scale = (data: Uint8Array, size: Size): Promise<Answer<Uint8Array>> =>
      opened.imaging.scale(data, size)()
    const knows = (mimetype: string): boolean =>
      opened.imaging.formats.some((each) => each.mimetype === mimetype)

    it('names itself, its version and formats, JPEG and PNG among them', () => {
      expect(opened.imaging.version).to.match(/^[a-z0-9][a-z0-9.-]*$/)
      expect(knows('image/jpeg') && knows('image/png')).to.equal(true)
    })

    describe("Size and format are read from the data's own header, never by decoding it.", () => {
      for (const { file, ...info } of photographs) {
        it(`${file} is ${info.width} × ${info.height} of ${info.mimetype}`, async () => {
          expect(right(await probe(await photograph(file)))).to.deep.equal(info)
        })

        it(`${file} tells it in its first part already`, async () => {
          expect(right(await probe((await photograph(file)).subarray(0, 65_536)))).to.deep.equal(info)
        })
      }

      for (const [name, { data, ...info }] of Object.entries(awkward))
        it(`reads ${name}`, async () => {
          expect(right(await probe(data))).to.deep.equal(info)
        })

      it('reads a picture whose pixels are rubbish', async () => {
        const { data } = awkward['a grey PNG'] ?? { data: new Uint8Array(0) }
        const spoilt = Uint8Array.from(data, (byte, at) =>
          at >= 41 && at < data.length - 16 ? byte ^ 0x55 : byte,
        )
        expect(right(await probe(spoilt))).to.deep.equal(pngInfo(60, 40))
      })

      it('reads a picture that lies within a larger buffer', async () => {
        const picture = await photograph('rocket.jpg')
        const larger = joined(rubbish(1001, 3), picture, rubbish(999, 4))
        const inside = larger.subarray(1001, 1001 + picture.length)
        expect(right(await probe(inside)).width).to.equal(640)
        expect(right(await probe(right(await scale(inside, { width: 64, height: 43 }))))).to.deep.equal(
          jpegInfo(64, 43),
        )
      })
    })

    describe('A scaled image has exactly the size asked for and the format of the original.', () => {
      const answersEachSize = async (data: Uint8Array, info: ImageInfo): Promise<void> => {
        for (const size of sizesFor(info)) {
          const scaled = right(await scale(data, size))
          expect(right(await probe(scaled))).to.deep.equal({ mimetype: info.mimetype, ...size })
          expect(decoded(scaled)).to.include(size)
        }
      }

      for (const { file, ...info } of photographs) {
        it(`${file} comes in each size`, async () => answersEachSize(await photograph(file), info))

        it(`${file} still shows the same`, async () => {
          const original = await photograph(file)
          const size = { width: Math.round(info.width / 3.3), height: Math.round(info.height / 3.3) }
          const scaled = decoded(right(await scale(original, size)))
          for (const corner of corners)
            expect(
              colourDistance(meanColour(scaled, corner), meanColour(decoded(original), corner)),
            ).to.be.below(8)
        })
      }

      for (const [name, { data, ...info }] of Object.entries(awkward))
        it(`${name} comes in each size`, () => answersEachSize(data, info))

      keeps('keeps what is transparent, and its colours clean', deviations.losesTransparency, async () => {
        const scaled = decoded(right(await scale(palettePng(40), { width: 10, height: 10 })))
        expect(meanColour(scaled, [0, 0, 0.2, 0.2])[3]).to.equal(0)
        expect(colourDistance(meanColour(scaled, [0.4, 0.4, 0.6, 0.6]), [220, 20, 30, 255])).to.be.below(4)
      })

      it('scales a GIF to a GIF, or knows no GIF', async () => {
        const gif = gifOf(30, 20, [1, 2])
        const scaled = await scale(gif, { width: 15, height: 10 })
        if (!knows('image/gif')) return expectUnreadable(scaled)
        expect(right(await probe(gif))).to.deep.equal({ mimetype: 'image/gif', width: 30, height: 20 })
        expect(right(await probe(right(scaled)))).to.deep.equal({
          mimetype: 'image/gif',
          width: 15,
          height: 10,
        })
      })

      it('leaves the data that it was given as it was', async () => {
        const data = new Uint8Array(await photograph('rocket.jpg'))
        const untouched = Buffer.from(data)
        right(await scale(data, { width: 64, height: 43 }))
        expect(untouched.equals(data)).to.equal(true)
      })
    })

    describe('The EXIF orientation is applied, and sizes mean the upright image.', () => {
      const upright = quarters(96, 64)
      const expectQuarters = (picture: Uint8Array): void => {
        const shown = decoded(picture)
        for (const [at, colour] of quarterColours.entries())
          expect(colourDistance(meanColour(shown, corners[at] ?? [0, 0, 1, 1]), colour)).to.be.below(12)
      }

      for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8])
        for (const littleEndian of [true, false])
          it(`orientation ${orientation}, written ${littleEndian ? 'little' : 'big'} end first`, async () => {
            const picture = withExif(
              jpegOf(storedFor(orientation, upright)),
              exifBlock(orientation, littleEndian),
            )
            expect(right(await probe(picture))).to.deep.equal(jpegInfo(96, 64))
            const scaled = right(await scale(picture, { width: 48, height: 32 }))
            expect(right(await probe(scaled))).to.deep.equal(jpegInfo(48, 32))
            expectQuarters(scaled)
            const again = right(await scale(scaled, { width: 30, height: 31 }))
            expect(decoded(again)).to.include({ width: 30, height: 31 })
            expectQuarters(again)
          })

      for (const orientation of [0, 9, 65_535])
        it(`orientation ${orientation}, which doesn't exist, means upright`, async () => {
          const picture = withExif(jpegOf(upright), exifBlock(orientation, true))
          expect(right(await probe(picture))).to.deep.equal(jpegInfo(96, 64))
          expectQuarters(right(await scale(picture, { width: 48, height: 32 })))
        })

      it('an EXIF block that is rubbish means upright', async () => {
        const picture = withExif(jpegOf(upright), joined(exifBlock(6, true).subarray(0, 20), rubbish(40, 5)))
        expect(right(await probe(picture))).to.deep.equal(jpegInfo(96, 64))
        expectQuarters(right(await scale(picture, { width: 48, height: 32 })))
      })
    })

    describe('Data that is broken, cut short or of an unknown format answers ImageUnreadable, in bounded time and memory.', () => {
      const small = { width: 10, height: 10 }
      for (const [name, data] of Object.entries(noPicture))
        it(`${name} is neither probed nor scaled`, async () => {
          expectUnreadable(await probe(data))
          expectUnreadable(await scale(data, small))
        })

      it('a header cut short is neither probed nor scaled', async () => {
        for (const picture of [jpegOf(quarters(96, 64)), palettePng(40)])
          for (const length of [12, 17, 20]) {
            expectUnreadable(await probe(picture.subarray(0, length)))
            expectUnreadable(await scale(picture.subarray(0, length), small))
          }
      })

      for (const { file, width, height } of photographs)
        keeps(`${file} cut short is not scaled`, deviations.scalesCutPixels, async () => {
          const whole = await photograph(file)
          for (const part of [0.3, 0.7, 0.99])
            expectUnreadable(
              await scale(whole.subarray(0, Math.floor(whole.length * part)), {
                width: width >> 1,
                height: height >> 1,
              }),
            )
        })

      keeps('a PNG with spoilt pixels is not scaled', deviations.scalesCutPixels, async () => {
        const spoilt = new Uint8Array(await photograph('chelsea.png'))
        spoilt.set(rubbish(100, 9), 50_000)
        expectUnreadable(await scale(spoilt, { width: 100, height: 67 }))
      })

      keeps('a PNG that lacks rows is not filled up from elsewhere', deviations.scalesCutPixels, async () => {
        for (const rows of [0, 1, 3, 39]) {
          const picture = pngOf({
            width: 60,
            height: 40,
            depth: 8,
            colourType: 2,
            rows: new Uint8Array(rows * 181),
          })
          expectUnreadable(await scale(picture, small))
        }
      })

      for (const [name, data] of Object.entries(boastful))
        it(`${name} is not scaled, and takes neither time nor memory`, async () => {
          const [start, memory] = [performance.now(), process.memoryUsage.rss()]
          expect(['Right', 'ImageUnreadable']).to.include(tag(await probe(data)))
          expectUnreadable(await scale(data, small))
          expect(performance.now() - start).to.be.below(5000)
          expect(process.memoryUsage.rss() - memory).to.be.below(200 << 20)
        })

      it('a picture without width or height is neither probed nor scaled', async () => {
        for (const data of [boastfulPng(0, 10), boastfulPng(10, 0), boastfulJpeg(0, 10)]) {
          expectUnreadable(await probe(data))
          expectUnreadable(await scale(data, small))
        }
      })

      keeps('trailing rubbish behind a picture does no harm', deviations.refusesTrailingRubbish, async () => {
        for (const { file, mimetype } of photographs) {
          const picture = joined(await photograph(file), rubbish(5000, 8))
          expect(right(await probe(picture)).mimetype).to.equal(mimetype)
          expect(decoded(right(await scale(picture, { width: 50, height: 40 })))).to.include({
            width: 50,
            height: 40,
          })
        }
      })

      it('whatever is done to a picture’s bytes, it is scaled or unreadable', async () => {
        const originals = [
          withExif(jpegOf(quarters(24, 16)), exifBlock(6, true)),
          palettePng(12),
          awkward['an interlaced PNG']?.data ?? palettePng(12),
          gifOf(6, 4, [1, 2]),
        ]
        const change = fc.record({ at: fc.nat(2000), byte: fc.nat(255) })
        await fc.assert(
          fc.asyncProperty(
            fc.constantFrom(...originals),
            fc.array(change, { minLength: 1, maxLength: 6 }),
            async (original, changes) => {
              const data = Uint8Array.from(original)
              for (const { at, byte } of changes) data[at % data.length] = byte
              const info = await probe(data)
              const scaled = await scale(data, { width: 5, height: 5 })
              expect(['Right', 'ImageUnreadable']).to.include.members([tag(info), tag(scaled)])
              if (E.isRight(scaled))
                expect(right(info).mimetype).to.equal(right(await probe(scaled.right)).mimetype)
            },
          ),
          { numRuns: 150 },
        )
      })
    })

    describe('Scaling never holds up the event loop: it runs outside the calling thread.', () => {
      it('the calling thread stays free for most of the time', async () => {
        const picture = await photograph('hubble_deep_field.jpg')
        const start = performance.eventLoopUtilization()
        const answers = await Promise.all(
          [990, 980, 970].map((width) => scale(picture, { width, height: 860 })),
        )
        const { active, idle } = performance.eventLoopUtilization(start)
        for (const answer of answers) right(answer)
        expect(active / (active + idle)).to.be.below(0.5)
      })
    })

    describe('More jobs than can run wait in a bounded queue; past its bound they answer PortFailure at once.', () => {
      it('as many as fit are answered, the others turned away before the first of them is done', async () => {
        const picture = jpegOf(quarters(400, 300))
        const inOrder: string[] = []
        const jobs = Array.from({ length: opened.capacity + 3 }, async () => {
          const answer = await scale(picture, { width: 200, height: 150 })
          inOrder.push(tag(answer))
        })
        await Promise.all(jobs)
        expect(inOrder.slice(0, 3)).to.deep.equal(['PortFailure', 'PortFailure', 'PortFailure'])
        expect(inOrder.slice(3)).to.deep.equal(Array.from({ length: opened.capacity }, () => 'Right'))
      })

      it('and there is room again afterwards', async () => {
        right(await scale(jpegOf(quarters(40, 30)), { width: 20, height: 15 }))
      })
    })
  })
}
