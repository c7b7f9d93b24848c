import { imagingConformance } from '@publishing-service/conformance'
import { jimpImaging } from './jimp-imaging.js'

imagingConformance({ name: 'adapter-jimp', open: jimpImaging })
