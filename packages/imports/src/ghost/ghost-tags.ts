/** Tags and authors of Ghost as tags, and tags as sections. */
import {
  fileNote,
  importedObject,
  type ImportedObject,
  type ImportNote,
} from '@publishing-service/domain/imports'
import { derivedUuid } from '../derived-uuid.js'
import { shortened } from '../plain-text.js'
import { present } from '../present.js'
import { withSite } from './content-addresses.js'
import type { GhostTag, GhostUser } from './ghost-export.js'
import type { ImportedFiles } from '../imported-files.js'

export type ObjectWithNotes = { readonly object: ImportedObject; readonly notes: readonly ImportNote[] }

export const tagUuid = (site: string, id: string): string => derivedUuid(site, 'tag', id)
export const authorUuid = (site: string, id: string): string => derivedUuid(site, 'author', id)
export const sectionUuid = (site: string, id: string): string => derivedUuid(site, 'section', id)

/** A note that names columns whose values are not taken over; none if they are empty. */
export const leftOut = (row: object, columns: readonly string[]): readonly ImportNote[] => {
  const named = columns.filter((name) => {
    const value: unknown = Object.entries(row).find(([key]) => key === name)?.[1]
    return value !== '' && value !== false
  })
  return named.length === 0 ? [] : [fileNote('attribute', `not taken over: ${named.join(', ')}`)]
}

/** The UUID of an image; null if there is none. */
export const imageUuid = (
  files: ImportedFiles,
  site: string,
  address: string,
  said?: { readonly title: string; readonly description: string },
): string | null => {
  const whole = withSite(address.trim(), site)
  if (whole === '') return null
  return files.use(whole.startsWith('/') && !whole.startsWith('//') ? `${site}${whole}` : whole, said)
}

export const isInternal = ({ visibility, name }: GhostTag): boolean =>
  visibility === 'internal' || name.startsWith('#')

/** The path of a page of Ghost, unless the website has others than usual. */
const pathsOf = (kind: 'tag' | 'author', slug: string): readonly string[] =>
  slug === '' ? [] : [`/${kind}/${slug}/`]

export const tagOf = (tag: GhostTag, site: string, files: ImportedFiles): ObjectWithNotes => ({
  object: importedObject({
    collection: 'tags',
    id: tagUuid(site, tag.id),
    attributes: present({
      last_name_or_title: shortened(tag.name.trim() || tag.slug || `Tag ${tag.id}`, 255),
      urlname: tag.slug,
      type: 'default',
      state: isInternal(tag) ? 'internal' : 'approved',
      description: tag.description,
      feature_image_uuid: imageUuid(files, site, tag.feature_image || tag.image),
      created: tag.created_at,
      modified: tag.updated_at,
    }),
    earlier_paths: isInternal(tag) ? [] : pathsOf('tag', tag.slug),
  }),
  notes: leftOut(tag, [
    'meta_title',
    'meta_description',
    'canonical_url',
    'codeinjection_head',
    'codeinjection_foot',
    'accent_color',
  ]),
})

/** A user name, as some write it as an address or with `@`. */
const userName = (text: string): string =>
  text
    .trim()
    .replace(/^https?:\/\/(?:www\.)?[^/]+\//, '')
    .replace(/^@/, '')
    .replace(/\/+$/, '')

const isAddress = (text: string): boolean => /^https?:\/\//.test(text)

/** An author as a tag of a person, with what their public page shows. Their e-mail address is not taken over. */
export const authorOf = (user: GhostUser, site: string, files: ImportedFiles): ObjectWithNotes => ({
  object: importedObject({
    collection: 'tags',
    id: authorUuid(site, user.id),
    attributes: present({
      last_name_or_title: shortened(user.name.trim() || user.slug || `Author ${user.id}`, 255),
      urlname: user.slug,
      type: 'person',
      description: user.bio,
      website: user.website,
      fb_username: userName(user.facebook),
      twitter_username: userName(user.twitter),
      instagram_username: userName(user.instagram),
      linkedin_url: isAddress(user.linkedin) ? user.linkedin : '',
      feature_image_uuid: imageUuid(files, site, user.profile_image || user.image),
      created: user.created_at,
      modified: user.updated_at,
    }),
    earlier_paths: pathsOf('author', user.slug),
  }),
  notes: leftOut({ ...user, linkedin: isAddress(user.linkedin) ? '' : user.linkedin }, [
    'location',
    'linkedin',
    'cover_image',
    'cover',
  ]),
})

/** A tag as a section. */
export const sectionOf = (tag: GhostTag, site: string, files: ImportedFiles): ObjectWithNotes => ({
  object: importedObject({
    collection: 'sections',
    id: sectionUuid(site, tag.id),
    attributes: present({
      title: shortened(tag.name.trim() || tag.slug || `Tag ${tag.id}`, 255),
      urlname: tag.slug,
      feature_image_uuid: imageUuid(files, site, tag.feature_image || tag.image),
      meta_title: tag.meta_title,
      meta_description: tag.meta_description || tag.description,
    }),
  }),
  notes: [],
})
