/** All operations on an instance. */
export { readSetting, readSettings, replaceSettings, changeSettings } from './access/settings.js'
export { listPeople } from './access/list-people.js'
export { listInstanceAudit } from './audit/list-audit.js'
export { listOccurrences } from './events/list-occurrences.js'
export { readCalendar, readEventCalendar } from './feed/read-calendar.js'
export { readFeed } from './feed/read-feed.js'
export { listChanges, type Changes } from './changes/read-changes.js'
export { readNews, readRobots, readSitemap } from './feed/read-sitemap.js'
export { downloadFile, readDefaultThumbnail } from './files/download-file.js'
export { uploadFile } from './files/upload-file.js'
export { readSectionStories } from './homepage/section-stories.js'
export { readStories, replaceStories } from './homepage/stories.js'
export { listCollections } from './list-collections.js'
export { sendVisitorComment } from './comments/send-visitor-comment.js'
export { listMembers } from './tags/list-members.js'
export { listObjects } from './engine/list.js'
export { addMember, readMembers, replaceMembers } from './tags/member-lists.js'
export { addToPathHistory, readPathHistory, replacePathHistory } from './paths/path-history.js'
export { readContentInfo } from './content/read-content-info.js'
export { readObject } from './engine/read-one.js'
export { addRelatedLink, readRelatedLinks, replaceRelatedLinks } from './content/related-links.js'
export { removeObject } from './engine/remove.js'
export { changeObject, createObject, replaceObject } from './engine/write.js'
export { changeDraft, publishDraft, readDraft, removeDraft, replaceDraft } from './drafts/drafts.js'
export * from './drafts/draft-parts.js'
export { createPreview, removePreviews } from './drafts/previews.js'
export { listMissedPublications } from './drafts/list-missed-publications.js'
export { listRewound } from './history/rewind.js'
export { rewindObject } from './history/rewind-object.js'
export { listTrash, removeFromTrash, restoreFromTrash } from './history/trash.js'
export {
  listVersionChanges,
  listVersions,
  readVersion,
  restoreVersion,
  type VersionList,
} from './history/versions.js'
export {
  createExport,
  downloadExport,
  listExports,
  readExport,
  removeExport,
} from './bundle/export-operations.js'
export {
  createImport,
  listImportLines,
  listImports,
  readImport,
  removeImport,
} from './imports/import-operations.js'
export { notePresence, readPresence, removePresence } from './presence/presence.js'
export { readWebPage, type WebPage } from './pages/read-web-page.js'
export { exportRedirects, type ExportedRedirects } from './redirects/export-redirects.js'
export { resolvePath } from './paths/resolve-path.js'
export { searchObjects } from './search/search-objects.js'
export { addMedium, listMedia, replaceMedia } from './content/slot-media.js'
export { changeSlot, listSlots, readSlot, removeSlot, replaceSlot } from './content/slots.js'
export { attachTag, detachTag, readTagging } from './tags/attach-tag.js'
export { listTagged } from './tags/list-tagged.js'
export { listTagCategories, listTags } from './tags/list-tags.js'
export { readTagCloud } from './tags/tag-cloud.js'
export {
  changeWebhook,
  createWebhook,
  listDeliveries,
  listWebhooks,
  readWebhook,
  repeatDelivery,
  removeWebhook,
  replaceWebhookSecret,
  testWebhook,
} from './webhooks/webhook-operations.js'
