/** Files and images: MIME types, upload limits, sizes and limits of scaled images. */
export {
  defaultThumbnailMimetype,
  isThumbnailKind,
  thumbnailKinds,
  type ThumbnailKind,
} from '../file/default-thumbnail.js'
export { displayOf, downloadType } from '../file/display.js'
export { isFormerUpload, type Replaced } from '../file/former-uploads.js'
export { recordImage, recordUpload } from '../file/record-upload.js'
export {
  canonicalCharset,
  charsetFrom,
  defaultUploadLimits,
  mimetypeFrom,
  mimetypeGroup,
  uploadLimit,
  type UploadLimits,
  uploadTypeProblem,
} from '../file/mimetype.js'
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
export { recordedImage } from '../image/recorded-image.js'
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
export type { Upload } from '../file/upload.js'
