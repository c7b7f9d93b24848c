/**
 * Imaging that reads headers and scales nothing, for services whose stores are filled with the sample at their start: the
 * colours of its photographs are computed in a process of their own, which takes longer than the rest of the start.
 */
import { tokens } from '@publishing-service/composition-root'
import { TE } from '@publishing-service/domain/fp'
import { readImage } from '@publishing-service/image-header'
import { imageUnreadable, type Imaging } from '@publishing-service/ports'
import { moduleProviding, type TestParts } from './start-test-service.js'

const refused = () => TE.left(imageUnreadable('It is not scaled.'))

export const headersOnly: Imaging = {
  version: 'headers-only',
  formats: ['image/png', 'image/jpeg'],
  makes: ['image/png', 'image/jpeg'],
  cmyk: false,
  parallel: 1,
  readHeader: readImage,
  scale: refused,
  summarise: refused,
  close: async () => undefined,
}

export const unscaled: Pick<TestParts, 'imaging'> = { imaging: moduleProviding(tokens.imaging, headersOnly) }
