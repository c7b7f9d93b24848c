/** What the parts of the imaging suite share. */
import { E, type JobLimits, type Size } from '@publishing-service/domain'
import { readImageHeader, uprightSize } from '@publishing-service/image-header'
import type { ImageUnreadable, Imaging, PortFailure } from '@publishing-service/ports'
import { expect } from 'chai'
import type { Conformance, Deviations } from './contract.js'
import type { ImageInfo } from './imaging-fixtures.js'

/** `open` is called several times; what it opens is closed by the suite. */
export type ImagingConformance = Conformance<
  'imaging',
  (options: { readonly parallel: number; readonly job: JobLimits }) => Imaging
>

export type Answer<A> = E.Either<PortFailure | ImageUnreadable, A>

export const plenty: JobLimits = { milliseconds: 60_000, mebibytes: 1024 }

/** The means of one run of the suite. */
export type ImagingSuite = {
  readonly open: ImagingConformance['open']
  readonly deviations: Deviations<'imaging'>
  /** The port that `scale` uses. */
  readonly imaging: () => Imaging
  readonly scale: (data: Uint8Array, size: Size) => Promise<Answer<Uint8Array>>
}

export const right = <A>(answer: Answer<A>): A => {
  if (E.isLeft(answer))
    throw new Error(`expected a scaled image, got the failure ${JSON.stringify(answer.left)}`)
  return answer.right
}

/** What a reader finds in the header of a picture. */
export const infoOf = (data: Uint8Array): ImageInfo => {
  const header = readImageHeader(data)
  if (E.isLeft(header)) throw new Error(header.left)
  return { mimetype: header.right.mimetype, ...uprightSize(header.right) }
}

export const tag = (answer: Answer<unknown>): string => (E.isLeft(answer) ? answer.left._tag : 'Right')

/** Reasons go to clients: a sentence, without paths, stacks or the names of what is behind. */
export const expectUnreadable = (answer: Answer<unknown>): void => {
  expect(tag(answer)).to.equal('ImageUnreadable')
  if (E.isLeft(answer) && answer.left._tag === 'ImageUnreadable')
    expect(answer.left.reason).to.match(/^[A-Z][^\n\\/{}<>]{8,}\.$/)
}
