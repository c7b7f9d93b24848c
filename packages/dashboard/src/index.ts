export { describeMedia, describeModel } from './describe-model.js'
export type {
  Field,
  FilterField,
  FilterValue,
  ItemModel,
  MediaModel,
  Model,
  Relation,
  ResourceModel,
  Value,
} from './model.js'
export { wordsIn } from './texts/languages.js'

/** The directory with the built files: `index.html` and `assets`, whose names change with their content. */
export const webDirectory = new URL('./web/', import.meta.url)
