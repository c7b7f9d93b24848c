/** Files: MIME types, upload limits, what an upload records. */
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
export { recordedImage } from '../image/recorded-image.js'
export type { Upload } from '../file/upload.js'
