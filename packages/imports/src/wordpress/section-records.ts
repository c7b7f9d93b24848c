/** Categories, and pages with pages below them, as sections. */
import { foldedPath } from '@publishing-service/domain/paths'
import { fileNote, importedObject, importRecord, type ImportRecord } from '@publishing-service/domain/imports'
import { decodedPath } from '../address-parts.js'
import { plainLine, shortened } from '../plain-text.js'
import type { PlacedSection } from './places.js'

const longestTitle = 255
const longestDescription = 5000

export const sectionRecord = (section: PlacedSection): ImportRecord => {
  const { id, source, title, description, urlname, path, parent, taken, earlierPaths, page } = section
  const text = shortened(plainLine(description), longestDescription)
  return importRecord({
    origin: { source, title, line: null },
    notes:
      taken === null
        ? []
        : [fileNote('urlname', `urlname is ${urlname} instead of ${taken}, which another object has`)],
    object: importedObject({
      collection: 'sections',
      id,
      attributes: {
        title: shortened(title, longestTitle) || urlname,
        urlname,
        parent_uuid: parent,
        ...(text === '' ? {} : { meta_description: text }),
      },
      earlier_paths: earlierPaths.map(decodedPath).filter((each) => foldedPath(each) !== foldedPath(path)),
      later: page === null ? {} : { content_uuid: page },
    }),
  })
}
