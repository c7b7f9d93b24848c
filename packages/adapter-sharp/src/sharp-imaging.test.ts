import { imagingConformance } from '@publishing-service/conformance'
import { sharpImaging } from './sharp-imaging.js'

imagingConformance({ name: 'adapter-sharp', open: sharpImaging })
