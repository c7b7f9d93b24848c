/** Images: formats, sizes and limits of scaled images. This entry loads no resource. */
export {
  boxFaults,
  boxSides,
  isSize,
  maxBoxSide,
  parseBox,
  roundedBox,
  scaledSize,
  type Box,
  type Size,
} from '../file/scaled-size.js'
export { derivativeName, surplusDerivatives, type StoredDerivative } from '../image/derivatives.js'
export {
  imageFormats,
  imageMimetypes,
  isUnscaledType,
  maxImageSide,
  unscaledFormats,
  type ImageFormat,
  type RecordedImage,
} from '../image/image-format.js'
export {
  unreadablePixels,
  defaultImageLimits,
  memoryAllowance,
  maxWaitingForShare,
  queuedJobsOfClient,
  shareWait,
  tookTooLong,
  tookTooMuch,
  tooManyBytes,
  tooManyPixels,
  tooMuchMemory,
  type ImageLimits,
  type JobLimits,
  type MemoryLimit,
} from '../image/scaling-limits.js'
