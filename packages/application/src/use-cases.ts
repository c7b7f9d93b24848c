import type { TaskEither } from '@publishing-service/domain/fp'
import type { PortFailure } from '@publishing-service/ports'
import { createExchangeToken } from './access/exchange-token.js'
import { createExpireTokens } from './access/expire-tokens.js'
import { createInstances, type Instances } from './access/instances.js'
import { createKeyUses, type KeyUses } from './access/key-uses.js'
import { createFindUsers } from './access/find-users.js'
import { createPreviewTokens } from './access/preview-tokens.js'
import { createPrincipals, type FindPrincipal } from './access/principals.js'
import { createRecordSignIn } from './access/record-sign-in.js'
import { createRevokeToken } from './access/revoke-token.js'
import { createGuessLimits } from './access/guess-limit.js'
import { createSharedRates, type SharedRates } from './access/shared-rates.js'
import { createVerifyKey } from './access/verify-key.js'
import { createSignIn, type SignInUseCases } from './accounts/sign-in.js'
import { createEmailConfirmation } from './accounts/email-confirmation.js'
import { createEndAccess } from './accounts/end-access.js'
import { createMailQueue } from './accounts/mail-queue.js'
import { createSignInChallenges } from './accounts/sign-in-challenges.js'
import { createSignInLinks, type SignInLinks } from './accounts/sign-in-links.js'
import { createSignInSessions } from './accounts/sign-in-sessions.js'
import { createAccounts } from './accounts/stored-account.js'
import { administerInstances, type AdministerInstances } from './administration/administer-instances.js'
import { administerKeys, type AdministerKeys } from './administration/administer-keys.js'
import { AdministerUsers } from './administration/administer-users.js'
import { createGuardRights } from './administration/guard-rights.js'
import { DeleteInstance } from './administration/delete-instance.js'
import { createBundles, type Bundles } from './bundle/bundles.js'
import { ExportWorker, type CreateBundleFile } from './bundle/export-worker.js'
import { createCompleteComputed } from './upgrades/complete-computed.js'
import { createCompletePlaces } from './upgrades/complete-places.js'
import { ScheduledChanges } from './changes/scheduled-changes.js'
import { createTouchObjects } from './changes/touch-objects.js'
import { Audit } from './audit/audit.js'
import { withCapacityLog } from './capacity-log.js'
import type { DeploymentServices } from './deployment-operation.js'
import type { Outcome } from './failure.js'
import { createExamineWork, type ExaminedWork } from './examination/examine-work.js'
import { createRenewOccurrences } from './events/renew-occurrences.js'
import { createExpireReplacedData } from './files/replaced-data.js'
import { Derivatives } from './files/derivatives.js'
import { GarbageCollection } from './files/garbage-collection.js'
import { verifyStorage, type Verification, type VerifyProgress } from './files/verify-storage.js'
import { checkReadiness, requestChecks, type Readiness } from './check-readiness.js'
import { createKeyedMutex } from './keyed-mutex.js'
import { Sessions } from './open-session.js'
import { documentsIn, InstanceStores } from './instance-store.js'
import { systemCollections, systemInstance } from './collections.js'
import { createPruneVersions } from './history/prune-versions.js'
import { createPublishDueDrafts } from './drafts/publish-due-drafts.js'
import { createExpireTrash } from './history/trash.js'
import { createFinishCascades } from './history/finish-cascades.js'
import {
  updateDocument,
  writeDocument,
  type UpdateDocument,
  type WriteDocument,
} from './engine/update-document.js'
import { createCommentSenders } from './comments/comment-senders.js'
import { createPresences } from './presence/presences.js'
import type { Services } from './session.js'
import type { Deployment, Ports, ProvidedPorts } from './ports.js'
import { backupErrors } from './backup/claim-backup.js'
import { createStoreIdentity, sourceOfCopy, type StoreIdentity } from './store-identity.js'
import { topics } from './topics.js'
import { createChangeSource } from './webhooks/change-source.js'
import { WebhookWorker } from './webhooks/webhook-worker.js'
import { ImportWorker, type ImportFiles } from './imports/import-worker.js'
import { watchedPorts } from './watched-ports.js'
import { onWrite, WriteCounters } from './write-counters.js'

/** All use cases of the service. Those that run in the background throw a PortFailure, and return how much they did. */
export type UseCases = {
  readonly sessions: Pick<Sessions, 'open' | 'missingToken'>
  readonly principals: FindPrincipal
  readonly exchangeToken: ReturnType<typeof createExchangeToken>
  readonly signIn: SignInUseCases
  readonly signInLinks: SignInLinks
  readonly revokeToken: ReturnType<typeof createRevokeToken>
  readonly instances: Instances
  /** Has caches of results be outdated by what other processes have written until now, if the store can tell. */
  readonly countForeignWrites: () => void
  readonly administerInstances: AdministerInstances
  readonly administerKeys: AdministerKeys
  readonly administerUsers: AdministerUsers
  readonly deleteInstance: DeleteInstance
  readonly bundles: Bundles
  readonly createExportWorker: (createFile: CreateBundleFile) => ExportWorker
  readonly audit: Audit
  readonly webhookWorker: WebhookWorker
  readonly createImportWorker: (files: ImportFiles) => ImportWorker
  /** Calls a function after each change; returns a function that ends it. */
  readonly onRecord: (called: () => void) => () => void
  readonly checkReadiness: () => Outcome<Readiness>
  readonly examineWork: () => Promise<ExaminedWork>
  readonly storeIdentity: StoreIdentity
  readonly sourceOfCopy: TaskEither<PortFailure, string | null>
  readonly garbageCollection: GarbageCollection
  readonly verifyStorage: (
    onProgress: (progress: VerifyProgress) => void,
  ) => TaskEither<PortFailure, Verification>
  readonly keyUses: KeyUses
  /** The counts of limits that processes exchange. */
  readonly sharedRates: SharedRates
  readonly expireTokens: () => Promise<number>
  readonly sendWaitingMail: () => Promise<number>
  readonly expirePresences: () => Promise<number>
  readonly renewOccurrences: () => Promise<number>
  readonly completeComputed: () => Promise<number>
  readonly completePlaces: (onProgress?: (done: number) => void) => Promise<number>
  readonly finishCascades: () => Promise<number>
  readonly expireTrash: () => Promise<number>
  readonly expireReplacedData: () => Promise<number>
  readonly pruneVersions: () => Promise<number>
  readonly publishDueDrafts: () => Promise<number>
  readonly recordScheduled: () => Promise<number>
  readonly touchObjects: () => Promise<number>
}

/** All use cases, over one set of ports. The document store may count writes of other processes. */
export const createUseCases = (
  provided: ProvidedPorts,
  deployment: Deployment,
  writeCounters = new WriteCounters(),
): UseCases => {
  const outside = watchedPorts(provided)
  const stores = new InstanceStores(outside, writeCounters)
  const { strict: documents, lenient } = stores
  const ports: Ports = { ...outside, documents, blobs: withCapacityLog(outside.blobs, outside.log) }
  const { blobs, checksum, clock, ids, imaging, log } = ports
  const exclusively = createKeyedMutex()
  const systemDocuments = documentsIn(documents, systemInstance)
  const system = {
    clock,
    documents: systemDocuments,
    exclusively: <A>(key: string, task: () => Promise<A>) => exclusively(`${systemInstance}/${key}`, task),
  }
  const update: UpdateDocument = (...call) => updateDocument(system, ...call)
  const write: WriteDocument = (...call) => writeDocument(system, ...call)
  const storeIdentity = createStoreIdentity(ports)
  const garbageCollection = new GarbageCollection(ports, deployment, storeIdentity)
  const instances = createInstances(ports, update, deployment, writeCounters)
  const parts = { documents: systemDocuments, write, update }
  const webhooks = { ...parts, sender: ports.webhookSender }
  const presences = createPresences(systemDocuments, clock)
  const services: Services = {
    blobs,
    checksum,
    clock,
    ids,
    imaging,
    log,
    deployment,
    derivatives: new Derivatives(ports, deployment.imageLimits),
    instances,
    findUsers: createFindUsers(systemDocuments),
    presences,
    commentSenders: createCommentSenders(),
    previewTokens: createPreviewTokens(ports),
    system: parts,
    webhooks,
    topics,
  }
  const keyUses = createKeyUses(ports, update)
  const accounts = createAccounts(ports, write)
  const signInSessions = createSignInSessions(ports, update)
  const signInLinks = createSignInLinks(ports, write)
  const signInChallenges = createSignInChallenges(ports)
  const mailQueue = createMailQueue({ ...ports, accounts, signInLinks })
  const principals = createPrincipals(
    ports,
    { signInSessions, accounts, secondFactor: deployment.secondFactor },
    keyUses.note,
  )
  const audit = new Audit(stores, ports, deployment)
  const guardRights = createGuardRights(ports)
  const endAccess = createEndAccess(ports, signInSessions, signInLinks)
  const sharedRates = createSharedRates(outside)
  const emailConfirmation = createEmailConfirmation({ ...ports, mailQueue, signInLinks, sharedRates })
  const users = new AdministerUsers(ports, write, guardRights, {
    accounts,
    endAccess,
    signInLinks,
    mailQueue,
  })
  const keys = administerKeys(ports, write, guardRights, exclusively)
  const deletions = new DeleteInstance(ports, lenient, update, storeIdentity, users)
  const deploymentServices: DeploymentServices = {
    clock,
    systemDocuments,
    administerUsers: users,
    administerKeys: keys,
    administerInstances: administerInstances(ports),
    deleteInstance: deletions,
    accounts,
    signInSessions,
    signInLinks,
    signInChallenges,
    mailQueue,
    emailConfirmation,
    endAccess,
    secrets: ports.secrets,
    passwordStrength: ports.passwordStrength,
    passkeys: ports.passkeys,
    oneTimeCodes: ports.oneTimeCodes,
    ids,
  }
  const recordSignIn = createRecordSignIn(ports, audit)
  const guessLimits = createGuessLimits(clock, ports.secrets, sharedRates)
  const verifyKey = createVerifyKey(ports, guessLimits.limitGuesses, recordSignIn)
  const signIn = createSignIn({
    ...ports,
    accounts,
    signInSessions,
    signInLinks,
    signInChallenges,
    mailQueue,
    administerUsers: users,
    administerKeys: keys,
    endAccess,
    emailConfirmation,
    audit,
    guessLimits,
    sharedRates,
    provider: deployment.provider,
    verifyKey,
    recordSignIn,
    forget: principals.forget,
  })
  const scheduledChanges = new ScheduledChanges(stores, ports, audit)
  const bundles = createBundles(ports, update, deletions)
  const sessions = new Sessions(services, deploymentServices, audit, stores, exclusively)
  const changeSource = createChangeSource(sessions)
  return {
    sessions,
    principals: principals.find,
    sharedRates,
    keyUses,
    audit,
    onRecord: (called) => onWrite(writeCounters.of(systemInstance, systemCollections.audit.name), called),
    instances,
    countForeignWrites: () => writeCounters.countForeign(),
    exchangeToken: createExchangeToken(ports, verifyKey),
    signIn,
    signInLinks,
    sendWaitingMail: mailQueue.sendWaiting,
    revokeToken: createRevokeToken(ports, principals.forget),
    storeIdentity,
    garbageCollection,
    verifyStorage: verifyStorage(ports, garbageCollection),
    expireTokens: createExpireTokens(ports),
    expirePresences: presences.expire,
    renewOccurrences: createRenewOccurrences(ports, lenient, instances),
    completeComputed: createCompleteComputed(ports, lenient, instances),
    completePlaces: createCompletePlaces(ports, instances),
    finishCascades: createFinishCascades(ports, stores, instances, audit),
    expireReplacedData: createExpireReplacedData(stores, ports, deployment),
    expireTrash: createExpireTrash(ports, stores),
    recordScheduled: () => scheduledChanges.record(),
    touchObjects: createTouchObjects(stores, ports, instances),
    pruneVersions: createPruneVersions(stores, ports, deployment),
    publishDueDrafts: createPublishDueDrafts(ports, stores, sessions),
    administerInstances: deploymentServices.administerInstances,
    deleteInstance: deletions,
    bundles,
    createExportWorker: (createFile) =>
      new ExportWorker(ports, { documents: systemDocuments, bundles, createFile }, sessions, writeCounters),
    administerKeys: keys,
    administerUsers: users,
    checkReadiness: checkReadiness(requestChecks(ports), [
      () => garbageCollection.errors(),
      backupErrors(ports.documents, clock),
    ]),
    examineWork: createExamineWork({ documents: systemDocuments, clock, readChanges: changeSource }),
    sourceOfCopy: sourceOfCopy(documents),
    createImportWorker: (files) => new ImportWorker(ports, { ...parts, ...files }, sessions, writeCounters),
    webhookWorker: new WebhookWorker(ports, webhooks, changeSource, writeCounters),
  }
}
