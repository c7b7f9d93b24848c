import { content } from '../content/content.js'
import { file } from '../file/file.js'
import { section } from '../section/section.js'
import type { Resource } from './resource.js'

/** Every resource of the service. A new one is a file of its own and an entry here. */
export const resources: readonly Resource[] = [section, content, file]

export const resourceOf = (collection: string): Resource | undefined =>
  resources.find((resource) => resource.collection === collection)
