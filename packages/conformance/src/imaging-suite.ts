/** What the parts of the imaging suite share. */
import { E, readImageHeader, uprightSize, type JobLimits, type Size } from '@publishing-service/domain'
import type { ImageUnreadable, Imaging, PortFailure } from '@publishing-service/ports'
import { expect } from 'chai'
import type { ImageInfo } from './imaging-fixtures.js'

/** What an adapter may fail to keep; the value is the reason. */
export type ImagingDeviations = {
  readonly readsPastTrailingRubbish?: string
  readonly refusesCutPixels?: string
  readonly keepsTransparency?: string
}

export type ImagingConformance = {
  readonly name: string
  /** Called several times; what it opens is closed by the suite. */
  readonly open: (options: { readonly parallel: number; readonly job: JobLimits }) => Imaging
  /** The directory that holds the photographs named in the fixtures. */
  readonly photographs: string
  readonly deviations?: ImagingDeviations
}

export type Answer<A> = E.Either<PortFailure | ImageUnreadable, A>

export const plenty: JobLimits = { milliseconds: 60_000, mebibytes: 1024 }

/** The means of one run of the suite. */
export type ImagingSuite = {
  readonly adapter: ImagingConformance
  readonly scale: (data: Uint8Array, size: Size) => Promise<Answer<Uint8Array>>
  readonly photograph: (file: string) => Promise<Uint8Array>
  /** A test of a promise that an adapter may state as a deviation. */
  readonly keeps: (sentence: string, deviation: keyof ImagingDeviations, body: () => Promise<void>) => void
}

export const right = <A>(answer: Answer<A>): A => {
  if (E.isLeft(answer)) throw new Error(`answered ${JSON.stringify(answer.left)}`)
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
