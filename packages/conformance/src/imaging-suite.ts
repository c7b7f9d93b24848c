/** What the parts of the imaging suite share. */
import { E } from '@publishing-service/domain/fp'
import type { JobLimits, Rendering, Size } from '@publishing-service/domain/images'
import { readImageHeader, uprightSize } from '@publishing-service/image-header'
import type { ImageUnreadable, Imaging, PortFailure } from '@publishing-service/ports'
import { expect } from 'chai'
import type { Conformance, Deviations } from './contract.js'
import type { ImageInfo } from './imaging-fixtures.js'

/** `open` is called several times. The suite closes what it opens. */
export type ImagingConformance = Conformance<
  'imaging',
  (options: { readonly parallel: number; readonly job: JobLimits }) => Imaging
>

export type ScalingResult<A> = E.Either<PortFailure | ImageUnreadable, A>

export const generousLimits: JobLimits = { milliseconds: 60_000, mebibytes: 1024 }

/** The whole image in this size, in the format of the original. */
export const scaledTo = (size: Size): Rendering => ({ size, region: null, format: null, quality: 'high' })

/** The adapter under test, for the parts of the suite. */
export type ImagingSuite = {
  readonly open: ImagingConformance['open']
  readonly deviations: Deviations<'imaging'>
  /** The adapter that `scale` uses. */
  readonly imaging: () => Imaging
  readonly scale: (data: Uint8Array, size: Size) => Promise<ScalingResult<Uint8Array>>
  readonly render: (data: Uint8Array, rendering: Rendering) => Promise<ScalingResult<Uint8Array>>
}

export const valueOfResult = <A>(result: ScalingResult<A>): A => {
  if (E.isLeft(result))
    throw new Error(`expected a scaled image, got the failure ${JSON.stringify(result.left)}`)
  return result.right
}

/** The format and the upright size in the header of an image. */
export const infoOf = (data: Uint8Array): ImageInfo => {
  const header = readImageHeader(data)
  if (E.isLeft(header)) throw new Error(header.left)
  return { mimetype: header.right.mimetype, ...uprightSize(header.right) }
}

export const tagOf = (result: ScalingResult<unknown>): string =>
  E.isLeft(result) ? result.left._tag : 'Right'

/** Clients see the reason: it is a sentence, without paths, stack traces or names of libraries. */
export const expectUnreadable = (result: ScalingResult<unknown>): void => {
  expect(tagOf(result)).to.equal('ImageUnreadable')
  if (E.isLeft(result) && result.left._tag === 'ImageUnreadable')
    expect(result.left.reason).to.match(/^[A-Z][^\n\\/{}<>]{8,}\.$/)
}
