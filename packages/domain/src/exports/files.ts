/** Files: MIME types, upload limits, what an upload records. */
export {
  defaultThumbnailMimetype,
  isThumbnailKind,
  thumbnailKinds,
  type ThumbnailKind,
} from '../images/image-format.js'
export { canonicalCharset, dataTypeFrom } from '../files/data-type.js'
export {
  displayOf,
  downloadType,
  defaultUploadLimits,
  mimetypeGroup,
  uploadLimit,
  type UploadLimits,
} from '../files/mimetype.js'
export {
  isFormerUpload,
  leastForPlaceholder,
  type PixelSummary,
  type Replaced,
  recordedImage,
} from '../files/file-data.js'
export { srcsetOf, srcsetRenderings, srcsetWidths } from '../pages/picture.js'
export { recordImage, recordUpload, withDataOf, type Upload } from '../files/file.js'
