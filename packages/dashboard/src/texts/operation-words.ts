import type { Words } from './model-words.js'

/**
 * What somebody did, after the name of the person, for each operation that the audit log has. `{object}` is what was
 * changed.
 */
export const operationWords: Words = {
  addDraftMember: ['changed images of the draft of {object}', 'hat Bilder im Entwurf geändert: {object}'],
  addDraftMedium: ['changed media of the draft of {object}', 'hat Medien im Entwurf geändert: {object}'],
  addDraftRelatedLink: [
    'changed related links of the draft of {object}',
    'hat weiterführende Links im Entwurf geändert: {object}',
  ],
  addMedium: ['changed the media of {object}', 'hat Medien geändert: {object}'],
  addMember: ['changed what belongs to {object}', 'hat Zugehöriges geändert: {object}'],
  addRelatedLink: ['changed the related links of {object}', 'hat weiterführende Links geändert: {object}'],
  addToPathHistory: ['changed the earlier paths of {object}', 'hat frühere Pfade geändert: {object}'],
  attachDraftTag: [
    'added a tag to the draft of {object}',
    'hat ein Schlagwort im Entwurf vergeben: {object}',
  ],
  attachTag: ['added a tag to {object}', 'hat ein Schlagwort vergeben: {object}'],
  changeDraft: ['changed the draft of {object}', 'hat den Entwurf geändert: {object}'],
  changeDraftSlot: [
    'changed how media of the draft of {object} are shown',
    'hat die Darstellung von Medien im Entwurf geändert: {object}',
  ],
  changeObject: ['changed {object}', 'hat {object} geändert'],
  changeSettings: ['changed the settings', 'hat die Einstellungen geändert'],
  changeSlot: [
    'changed how media of {object} are shown',
    'hat die Darstellung von Medien geändert: {object}',
  ],
  changeUser: ['changed the user {object}', 'hat den Benutzer {object} geändert'],
  changeWebhook: ['changed the web hook {object}', 'hat den Webhook {object} geändert'],
  createInstance: ['created the instance {object}', 'hat die Instanz {object} angelegt'],
  createKey: ['created the key {object}', 'hat den Schlüssel {object} angelegt'],
  createObject: ['created {object}', 'hat {object} angelegt'],
  sendVisitorComment: ['sent a comment as a visitor', 'hat als Besucher einen Kommentar geschickt'],
  createPreview: ['created a preview of {object}', 'hat eine Vorschau angelegt: {object}'],
  createUser: ['created the user {object}', 'hat den Benutzer {object} angelegt'],
  createWebhook: ['created the web hook {object}', 'hat den Webhook {object} angelegt'],
  detachDraftTag: [
    'removed a tag from the draft of {object}',
    'hat ein Schlagwort im Entwurf entfernt: {object}',
  ],
  detachTag: ['removed a tag from {object}', 'hat ein Schlagwort entfernt: {object}'],
  exchangeToken: ['signed in with the key {object}', 'hat sich mit dem Schlüssel {object} angemeldet'],
  followRemoval: [
    'followed the removal of another object with {object}',
    'hat {object} an eine Löschung angepasst',
  ],
  publishDraft: ['published the draft of {object}', 'hat den Entwurf veröffentlicht: {object}'],
  repeatDelivery: [
    'delivered an event of the web hook {object} again',
    'hat ein Ereignis des Webhooks {object} erneut zugestellt',
  ],
  removeDraft: ['discarded the draft of {object}', 'hat den Entwurf verworfen: {object}'],
  removeDraftSlot: [
    'removed media from the draft of {object}',
    'hat Medien aus dem Entwurf entfernt: {object}',
  ],
  removeFromTrash: ['deleted {object} for good', 'hat {object} endgültig gelöscht'],
  removeInstance: ['deleted the instance {object}', 'hat die Instanz {object} gelöscht'],
  removeInstanceRoles: ['took the roles from {object}', 'hat Rollen entzogen: {object}'],
  removeObject: ['deleted {object}', 'hat {object} gelöscht'],
  removePreviews: ['ended the previews of {object}', 'hat Vorschauen beendet: {object}'],
  removeSlot: ['removed media from {object}', 'hat Medien entfernt: {object}'],
  removeUser: ['deleted the user {object}', 'hat den Benutzer {object} gelöscht'],
  removeWebhook: ['deleted the web hook {object}', 'hat den Webhook {object} gelöscht'],
  replaceDraft: ['changed the draft of {object}', 'hat den Entwurf geändert: {object}'],
  replaceDraftMembers: [
    'changed images of the draft of {object}',
    'hat Bilder im Entwurf geändert: {object}',
  ],
  replaceDraftMedia: ['changed media of the draft of {object}', 'hat Medien im Entwurf geändert: {object}'],
  replaceDraftRelatedLinks: [
    'changed related links of the draft of {object}',
    'hat weiterführende Links im Entwurf geändert: {object}',
  ],
  replaceDraftSlot: [
    'changed how media of the draft of {object} are shown',
    'hat die Darstellung von Medien im Entwurf geändert: {object}',
  ],
  replaceInstanceRoles: ['changed the roles of {object}', 'hat Rollen geändert: {object}'],
  replaceMedia: ['changed the media of {object}', 'hat Medien geändert: {object}'],
  replaceMembers: ['changed what belongs to {object}', 'hat Zugehöriges geändert: {object}'],
  replaceObject: ['changed {object}', 'hat {object} geändert'],
  replacePathHistory: ['changed the earlier paths of {object}', 'hat frühere Pfade geändert: {object}'],
  replaceRelatedLinks: [
    'changed the related links of {object}',
    'hat weiterführende Links geändert: {object}',
  ],
  reachTime: ['reached a time of {object}', 'hat Geplantes wirksam gemacht: {object}'],
  replaceSettings: ['changed the settings', 'hat die Einstellungen geändert'],
  replaceSlot: [
    'changed how media of {object} are shown',
    'hat die Darstellung von Medien geändert: {object}',
  ],
  replaceStories: ['changed the stories of {object}', 'hat die Auswahl der Geschichten geändert: {object}'],
  replaceUserRoles: ['changed the roles of {object}', 'hat Rollen geändert: {object}'],
  replaceWebhookSecret: [
    'replaced the secret of the web hook {object}',
    'hat das Geheimnis des Webhooks {object} ersetzt',
  ],
  restoreFromTrash: ['restored {object} from the trash', 'hat {object} aus dem Papierkorb wiederhergestellt'],
  restoreVersion: [
    'restored an earlier version of {object}',
    'hat eine frühere Version wiederhergestellt: {object}',
  ],
  revokeKey: ['revoked the key {object}', 'hat den Schlüssel {object} widerrufen'],
  testWebhook: ['tested the web hook {object}', 'hat den Webhook {object} getestet'],
  uploadFile: ['uploaded the data of {object}', 'hat Daten hochgeladen: {object}'],
}
