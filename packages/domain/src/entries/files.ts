/** Files: MIME types, upload limits, what an upload records. */
export {
  defaultThumbnailMimetype,
  isThumbnailKind,
  thumbnailKinds,
  type ThumbnailKind,
} from '../image/image-format.js'
export { canonicalCharset, dataTypeFrom } from '../file/data-type.js'
export {
  displayOf,
  downloadType,
  defaultUploadLimits,
  mimetypeGroup,
  uploadLimit,
  type UploadLimits,
} from '../file/mimetype.js'
export {
  isFormerUpload,
  leastForPlaceholder,
  type PixelSummary,
  type Replaced,
  recordedImage,
} from '../file/file-data.js'
export { srcsetOf, srcsetRenderings, srcsetWidths } from '../page/picture.js'
export { recordImage, recordUpload, withDataOf, type Upload } from '../file/file.js'
