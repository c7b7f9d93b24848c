import type { Fails, ProblemTag } from '../fault.js'
import { resourceOf } from '../resource/resources.js'
import type { Settings } from '../instances/settings.js'
import { permittedRoles, type Action, type Subject, type Role } from './permissions.js'

/** A setting that permits operations without a token (docs/behaviour/access.md#public-reading). */
export type Opening = keyof Settings & `public_${string}`

/** An operation on an instance: its name, the permission that it needs, and the problems that it declares. */
export type OperationAccess<A extends Action = Action, F extends ProblemTag = never> = Fails<F> & {
  readonly name: string
  readonly subject: Subject
  readonly action: A
  /** The roles that may run it. */
  readonly roles: ReadonlySet<Role>
  /** The settings each of which permits it without a token. */
  readonly openedBy: readonly Opening[]
  /** Whether it returns the same to every role that may run it. */
  readonly isSameForRoles: boolean
}

const on = <A extends Action>(name: string, subject: Subject, action: A): OperationAccess<A> => {
  const roles = permittedRoles.get(subject)?.get(action)
  if (roles === undefined) throw new Error(`${name}: ${subject} has no permission for ${action}`)
  const isPublic = action === 'read' && roles.has('public_user')
  return {
    name,
    subject,
    action,
    roles,
    openedBy: isPublic ? ['public_reading'] : [],
    isSameForRoles: false,
  }
}

/** Whether one of the settings is on, so that no token is needed. */
export const isOpened = (openings: readonly Opening[], settings: Pick<Settings, Opening>): boolean =>
  openings.some((setting) => settings[setting])

/** An operation that a separate setting opens, and that returns the same to every role. */
const opened = (name: string, subject: Subject, openedBy: Opening): OperationAccess<'read'> => ({
  ...on(name, subject, 'read'),
  openedBy: [openedBy, 'public_reading'],
  isSameForRoles: true,
})

/** How a removal can fail: what is in the object, or that it always exists. */
const removalFailures = (subject: Subject) => {
  const { dependences = [], given } = resourceOf(subject) ?? {}
  return {
    InUse: dependences.some(({ onDeletion }) => onDeletion === 'fail'),
    MethodNotAllowed: given !== undefined,
  }
}

/** All operations on an instance. Those that are functions exist for several resources. */
export const operations = {
  readSettings: on('readSettings', 'settings', 'read'),
  readSetting: on('readSetting', 'settings', 'read'),
  replaceSettings: on('replaceSettings', 'settings', 'update'),
  changeSettings: on('changeSettings', 'settings', 'update'),
  listInstanceAudit: on('listInstanceAudit', 'audit', 'read'),
  listPeople: on('listPeople', 'people', 'read'),
  // Requests can wait for changes, so each needs a token.
  listChanges: {
    ...on('listChanges', 'changes', 'read'),
    openedBy: [],
    fails: { CursorExpired: true },
  },
  listMissedPublications: on('listMissedPublications', 'drafts', 'read'),
  listTrash: on('listTrash', 'trash', 'read'),
  restoreFromTrash: on('restoreFromTrash', 'trash', 'update'),
  removeFromTrash: on('removeFromTrash', 'trash', 'remove'),
  listRewound: on('listRewound', 'trash', 'read'),
  listWebhooks: on('listWebhooks', 'webhooks', 'read'),
  createWebhook: on('createWebhook', 'webhooks', 'create'),
  readWebhook: on('readWebhook', 'webhooks', 'read'),
  changeWebhook: on('changeWebhook', 'webhooks', 'update'),
  removeWebhook: on('removeWebhook', 'webhooks', 'remove'),
  replaceWebhookSecret: on('replaceWebhookSecret', 'webhooks', 'update'),
  testWebhook: on('testWebhook', 'webhooks', 'update'),
  listDeliveries: on('listDeliveries', 'webhooks', 'read'),
  repeatDelivery: on('repeatDelivery', 'webhooks', 'update'),
  listImports: on('listImports', 'imports', 'read'),
  createImport: on('createImport', 'imports', 'create'),
  readImport: on('readImport', 'imports', 'read'),
  removeImport: on('removeImport', 'imports', 'remove'),
  listImportLines: on('listImportLines', 'imports', 'read'),
  listExports: on('listExports', 'exports', 'read'),
  createExport: on('createExport', 'exports', 'create'),
  readExport: on('readExport', 'exports', 'read'),
  removeExport: on('removeExport', 'exports', 'remove'),
  downloadExport: on('downloadExport', 'exports', 'read'),
  listOccurrences: on('listOccurrences', 'content', 'read'),
  readFeed: opened('readFeed', 'content', 'public_feeds'),
  readCalendar: opened('readCalendar', 'content', 'public_feeds'),
  readEventCalendar: opened('readEventCalendar', 'content', 'public_feeds'),
  readSitemap: opened('readSitemap', 'instance', 'public_feeds'),
  readNews: opened('readNews', 'content', 'public_feeds'),
  readRobots: opened('readRobots', 'instance', 'public_feeds'),
  downloadFile: opened('downloadFile', 'files', 'public_downloads'),
  readDefaultThumbnail: opened('readDefaultThumbnail', 'files', 'public_downloads'),
  uploadFile: { ...on('uploadFile', 'files', 'update'), fails: { UnsupportedMediaType: true } },
  readSectionStories: on('readSectionStories', 'sections', 'read'),
  readStories: on('readStories', 'homepage', 'read'),
  replaceStories: on('replaceStories', 'homepage', 'update'),
  listCollections: on('listCollections', 'instance', 'read'),
  readContentInfo: on('readContentInfo', 'content', 'read'),
  readRelatedLinks: on('readRelatedLinks', 'content', 'read'),
  replaceRelatedLinks: on('replaceRelatedLinks', 'content', 'update'),
  addRelatedLink: on('addRelatedLink', 'content', 'update'),
  resolvePath: on('resolvePath', 'content', 'read'),
  exportRedirects: on('exportRedirects', 'redirects', 'read'),
  readWebPage: on('readWebPage', 'content', 'read'),
  searchObjects: on('searchObjects', 'content', 'read'),
  sendVisitorComment: {
    ...on('sendVisitorComment', 'comments', 'submit'),
    openedBy: ['public_comments'],
  },
  listMedia: on('listMedia', 'content', 'read'),
  replaceMedia: on('replaceMedia', 'content', 'update'),
  addMedium: on('addMedium', 'content', 'update'),
  listSlots: on('listSlots', 'content', 'read'),
  readSlot: on('readSlot', 'content', 'read'),
  replaceSlot: on('replaceSlot', 'content', 'update'),
  changeSlot: on('changeSlot', 'content', 'update'),
  removeSlot: on('removeSlot', 'content', 'update'),
  listDraftSlots: on('listDraftSlots', 'content', 'history'),
  readDraftSlot: on('readDraftSlot', 'content', 'history'),
  replaceDraftSlot: on('replaceDraftSlot', 'content', 'update'),
  changeDraftSlot: on('changeDraftSlot', 'content', 'update'),
  removeDraftSlot: on('removeDraftSlot', 'content', 'update'),
  listDraftMedia: on('listDraftMedia', 'content', 'history'),
  replaceDraftMedia: on('replaceDraftMedia', 'content', 'update'),
  addDraftMedium: on('addDraftMedium', 'content', 'update'),
  readDraftRelatedLinks: on('readDraftRelatedLinks', 'content', 'history'),
  replaceDraftRelatedLinks: on('replaceDraftRelatedLinks', 'content', 'update'),
  addDraftRelatedLink: on('addDraftRelatedLink', 'content', 'update'),
  listDraftTags: (subject: Subject) => on('listDraftTags', subject, 'history'),
  readDraftTagging: (subject: Subject) => on('readDraftTagging', subject, 'history'),
  attachDraftTag: (subject: Subject) => on('attachDraftTag', subject, 'update'),
  detachDraftTag: (subject: Subject) => on('detachDraftTag', subject, 'update'),
  readDraftMembers: (subject: Subject) => on('readDraftMembers', subject, 'history'),
  replaceDraftMembers: (subject: Subject) => on('replaceDraftMembers', subject, 'update'),
  addDraftMember: (subject: Subject) => on('addDraftMember', subject, 'update'),
  readTagging: on('readTagging', 'tags', 'read'),
  attachTag: on('attachTag', 'tags', 'attach'),
  detachTag: on('detachTag', 'tags', 'attach'),
  listTagged: on('listTagged', 'tags', 'read'),
  listTagCategories: on('listTagCategories', 'tags', 'read'),
  readTagCloud: on('readTagCloud', 'tags', 'read'),
  listMembers: (subject: Subject) => on('listMembers', subject, 'read'),
  listObjects: (subject: Subject) => on('listObjects', subject, 'read'),
  readMembers: (subject: Subject) => on('readMembers', subject, 'read'),
  replaceMembers: (subject: Subject) => on('replaceMembers', subject, 'update'),
  addMember: (subject: Subject) => on('addMember', subject, 'update'),
  readPathHistory: (subject: Subject) => on('readPathHistory', subject, 'read'),
  addToPathHistory: (subject: Subject) => on('addToPathHistory', subject, 'update'),
  replacePathHistory: (subject: Subject) => on('replacePathHistory', subject, 'update'),
  readObject: (subject: Subject) => on('readObject', subject, 'read'),
  listVersions: (subject: Subject) => on('listVersions', subject, 'history'),
  listVersionChanges: (subject: Subject) => on('listVersionChanges', subject, 'history'),
  readVersion: (subject: Subject) => on('readVersion', subject, 'history'),
  restoreVersion: (subject: Subject) => on('restoreVersion', subject, 'update'),
  rewindObject: (subject: Subject) => on('rewindObject', subject, 'update'),
  readDraft: (subject: Subject) => on('readDraft', subject, 'history'),
  replaceDraft: (subject: Subject) => on('replaceDraft', subject, 'update'),
  changeDraft: (subject: Subject) => on('changeDraft', subject, 'update'),
  removeDraft: (subject: Subject) => on('removeDraft', subject, 'update'),
  publishDraft: (subject: Subject) => ({
    ...on('publishDraft', subject, 'update'),
    fails: { DraftConflict: true },
  }),
  createPreview: (subject: Subject) => on('createPreview', subject, 'update'),
  removePreviews: (subject: Subject) => on('removePreviews', subject, 'update'),
  readPresence: (subject: Subject) => on('readPresence', subject, 'history'),
  notePresence: (subject: Subject) => on('notePresence', subject, 'update'),
  removePresence: (subject: Subject) => on('removePresence', subject, 'update'),
  removeObject: (subject: Subject) => ({
    ...on('removeObject', subject, 'remove'),
    fails: removalFailures(subject),
  }),
  createObject: (subject: Subject) => on('createObject', subject, 'create'),
  replaceObject: (subject: Subject) => on('replaceObject', subject, 'update'),
  changeObject: (subject: Subject) => on('changeObject', subject, 'update'),
  listTags: (subject: Subject) => on('listTags', subject, 'read'),
} as const

/** Whether downloads need no token. */
export const hasPublicDownloads = (settings: Pick<Settings, Opening>): boolean =>
  isOpened(operations.downloadFile.openedBy, settings)
