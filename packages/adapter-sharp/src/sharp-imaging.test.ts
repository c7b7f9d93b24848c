/** The adapter keeps the port. */
import { imagingConformance } from '@publishing-service/conformance'
import { fileURLToPath } from 'node:url'
import { sharpImaging } from './sharp-imaging.js'

imagingConformance({
  name: 'adapter-sharp',
  photographs: fileURLToPath(new URL('../../../test/fixtures/photos/', import.meta.url)),
  open: sharpImaging,
})
