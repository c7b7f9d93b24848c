import { memoryDocumentStore } from '@publishing-service/adapter-memory'
import {
  content,
  location,
  resources,
  section,
  type Problem,
  type Resource,
  type Role,
} from '@publishing-service/domain'
import { E, TE } from '@publishing-service/domain/fp'
import type { MemberList } from '@publishing-service/domain/declare'
import { storyLists } from '@publishing-service/domain/content'
import { listingImages } from '@publishing-service/domain/locations'
import { categoryTags } from '@publishing-service/domain/tags'
import type { Parameters } from '@publishing-service/domain/lists'
import { type Action, roleNeeded, roles, type Subject } from '@publishing-service/domain/roles'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { attempt, fail } from './attempt.js'
import { collections } from './collections.js'
import type { InstanceRequest } from './operation-request.js'
import { contended, type Failure } from './failure.js'
import { updateDocument } from './engine/update-document.js'
import type { InstanceDocuments } from './instance-store.js'
import type { Dependencies } from './write-counters.js'
import * as operations from './operations.js'
import type { Operation, ReadOperation } from './operation.js'
import type { Session } from './session.js'
import { controllableStore, type ControllableStore } from './test-support/controllable-document-store.js'
import { aSection, article, createStage, forbidden, left, right, type Stage } from './test-support/stage.js'

type AnyOperation = Operation<never, unknown>

const needing = (subject: Subject, action: Action, ...all: readonly AnyOperation[]) =>
  all.map((operation) => ({ operation, subject, action, needed: roleNeeded(subject, action) ?? 'admin' }))

const ofResources = (action: Action, ...all: readonly ((resource: Resource) => AnyOperation)[]) =>
  resources.flatMap((resource) => needing(resource.collection, action, ...all.map((of) => of(resource))))

const ofLists = (action: Action, ...all: readonly ((list: MemberList) => AnyOperation)[]) =>
  [listingImages, categoryTags].flatMap((list) =>
    needing(list.resource.collection, action, ...all.map((of) => of(list))),
  )

const { listObjects, readObject, createObject, replaceObject, changeObject, removeObject } = operations
const { readPathHistory, addToPathHistory, replacePathHistory, listTags } = operations
const { listMissedPublications, listTrash, restoreFromTrash, removeFromTrash } = operations
const { listExports, createExport, readExport, removeExport, downloadExport } = operations
const { listImports, createImport, readImport, removeImport, listImportLines } = operations
const { listWebhooks, createWebhook, readWebhook, changeWebhook, removeWebhook } = operations
const { replaceWebhookSecret, testWebhook, listDeliveries, repeatDelivery } = operations
const { listVersions, listVersionChanges, readVersion, restoreVersion } = operations
const { listRewound, rewindObject } = operations
const { readDraft, replaceDraft, changeDraft, removeDraft, publishDraft } = operations
const { createPreview, removePreviews } = operations
const { notePresence, readPresence, removePresence } = operations
const { listDraftSlots, readDraftSlot, replaceDraftSlot, changeDraftSlot, removeDraftSlot } = operations
const { listDraftMedia, replaceDraftMedia, addDraftMedium } = operations
const { readDraftRelatedLinks, replaceDraftRelatedLinks, addDraftRelatedLink } = operations
const { listDraftTags, readDraftTagging, attachDraftTag, detachDraftTag } = operations
const { readDraftMembers, replaceDraftMembers, addDraftMember } = operations
const { readMembers, listMembers, replaceMembers, addMember } = operations
const { listSlots, readSlot, replaceSlot, changeSlot, removeSlot } = operations
const { listMedia, replaceMedia, addMedium, readContentInfo, sendVisitorComment } = operations
const { readRelatedLinks, replaceRelatedLinks, addRelatedLink } = operations
const { readTagging, attachTag, detachTag, listTagged, listTagCategories, readTagCloud } = operations
const { readSettings, readSetting, replaceSettings, changeSettings, listCollections } = operations
const {
  uploadFile,
  downloadFile,
  readDefaultThumbnail,
  readCalendar,
  readEventCalendar,
  readFeed,
  readNews,
  readRobots,
  readSitemap,
} = operations
const { listInstanceAudit, listPeople, searchObjects, listChanges, exportRedirects } = operations
const { readStories, replaceStories, readSectionStories, readWebPage, resolvePath, listOccurrences } =
  operations

const withVersions = resources.filter(({ collection }) => roleNeeded(collection, 'history') !== null)

/** Every operation, with the role that the permission matrix names for it. */
const table = [
  ...withVersions.flatMap((resource) => [
    ...needing(
      resource.collection,
      'history',
      listVersions(resource),
      listVersionChanges(resource),
      readVersion(resource),
      readPresence(resource),
    ),
    ...needing(
      resource.collection,
      'update',
      restoreVersion(resource),
      rewindObject(resource),
      notePresence(resource),
      removePresence(resource),
    ),
  ]),
  ...[content, location].flatMap((resource) => [
    ...needing(resource.collection, 'history', readDraft(resource)),
    ...needing(resource.collection, 'update', replaceDraft(resource), changeDraft(resource)),
    ...needing(resource.collection, 'update', removeDraft(resource), publishDraft(resource)),
    ...needing(resource.collection, 'history', listDraftTags(resource), readDraftTagging(resource)),
    ...needing(resource.collection, 'update', attachDraftTag(resource), detachDraftTag(resource)),
    ...needing(resource.collection, 'update', createPreview(resource), removePreviews(resource)),
  ]),
  ...needing('content', 'history', listDraftSlots, readDraftSlot, listDraftMedia, readDraftRelatedLinks),
  ...needing('content', 'update', replaceDraftSlot, changeDraftSlot, removeDraftSlot),
  ...needing('locations', 'history', readDraftMembers(listingImages)),
  ...needing('locations', 'update', replaceDraftMembers(listingImages), addDraftMember(listingImages)),
  ...needing('content', 'update', replaceDraftMedia, addDraftMedium),
  ...needing('content', 'update', replaceDraftRelatedLinks, addDraftRelatedLink),
  ...ofResources('read', listObjects, readObject, readPathHistory, listTags),
  ...ofResources('create', createObject),
  ...ofResources('update', replaceObject, changeObject, addToPathHistory, replacePathHistory),
  ...ofResources('remove', removeObject),
  ...ofLists('read', readMembers, listMembers),
  ...ofLists('update', replaceMembers, addMember),
  ...needing('content', 'read', listSlots, readSlot, listMedia, readContentInfo, readRelatedLinks),
  ...needing('content', 'read', resolvePath, readWebPage, listOccurrences, readFeed, readNews, searchObjects),
  ...needing('content', 'read', readCalendar, readEventCalendar),
  ...needing('comments', 'submit', sendVisitorComment),
  ...needing('redirects', 'read', exportRedirects),
  ...needing('content', 'update', replaceSlot, changeSlot, removeSlot, replaceMedia, addMedium),
  ...needing('content', 'update', replaceRelatedLinks, addRelatedLink),
  ...needing('tags', 'read', readTagging, listTagged, listTagCategories, readTagCloud),
  ...needing('tags', 'attach', attachTag, detachTag),
  ...needing('sections', 'read', readSectionStories),
  ...needing('homepage', 'read', ...storyLists.map(readStories)),
  ...needing('homepage', 'update', ...storyLists.map(replaceStories)),
  ...needing('files', 'read', downloadFile, readDefaultThumbnail),
  ...needing('files', 'update', uploadFile),
  ...needing('settings', 'read', readSettings, readSetting),
  ...needing('settings', 'update', replaceSettings, changeSettings),
  ...needing('instance', 'read', listCollections, readSitemap, readRobots),
  ...needing('audit', 'read', listInstanceAudit),
  ...needing('people', 'read', listPeople),
  ...needing('changes', 'read', listChanges),
  ...needing('drafts', 'read', listMissedPublications),
  ...needing('trash', 'read', listTrash, listRewound),
  ...needing('trash', 'update', restoreFromTrash),
  ...needing('trash', 'remove', removeFromTrash),
  ...needing('webhooks', 'read', listWebhooks, readWebhook, listDeliveries),
  ...needing('webhooks', 'create', createWebhook),
  ...needing('webhooks', 'update', changeWebhook, replaceWebhookSecret, testWebhook, repeatDelivery),
  ...needing('webhooks', 'remove', removeWebhook),
  ...needing('exports', 'read', listExports, readExport, downloadExport),
  ...needing('exports', 'create', createExport),
  ...needing('exports', 'remove', removeExport),
  ...needing('imports', 'read', listImports, readImport, listImportLines),
  ...needing('imports', 'create', createImport),
  ...needing('imports', 'remove', removeImport),
]
const opened: Readonly<Record<string, ReadonlySet<AnyOperation>>> = {
  public_downloads: new Set([downloadFile, readDefaultThumbnail]),
  public_feeds: new Set([readCalendar, readEventCalendar, readFeed, readSitemap, readNews, readRobots]),
  public_comments: new Set([sendVisitorComment]),
  public_reading: new Set(
    table.flatMap(({ operation, subject, action, needed }) =>
      action === 'read' && needed === 'public_user' && subject !== 'changes' ? [operation] : [],
    ),
  ),
}

const unauthorized: Problem = { _tag: 'Unauthorized' }
const notFound: Problem = { _tag: 'NotFound' }
const invalidToken: Problem = { _tag: 'InvalidToken' }

describe('a session on an instance', () => {
  let documents: ControllableStore
  let stage: Stage
  beforeEach(async () => {
    documents = controllableStore(memoryDocumentStore(collections))
    stage = await createStage({ documents })
    await right(stage.useCases.administerInstances.create({ title: 'The other', timezone: 'UTC' }))
  })

  /** Why no session is opened for a request; null if one is. */
  const refusalOf = async (operation: AnyOperation, request: InstanceRequest): Promise<Failure | null> => {
    const session = await attempt(() => stage.useCases.sessions.open(operation, request))
    return E.isLeft(session) ? session.left : null
  }

  const expectRefusals = async (
    request: InstanceRequest,
    expected: (row: (typeof table)[number]) => Problem | null,
  ): Promise<void> => {
    for (const row of table) {
      const { name, subject } = row.operation
      expect(await refusalOf(row.operation, request), `${name} of ${subject}`).to.deep.equal(expected(row))
    }
  }

  /** An operation of a test. */
  const reading = <Input, Output>(
    run: ReadOperation<Input, Output>['run'],
  ): ReadOperation<Input, Output> => ({
    ...searchObjects,
    run,
  })

  it('is tested with every operation, by the name, subject and action that it has', () => {
    expect(new Set(table.map(({ operation }) => operation.name))).to.deep.equal(
      new Set(Object.keys(operations)),
    )
    for (const { operation, subject, action } of table)
      expect(operation, operation.name).to.include({ subject, action })
  })

  describe('is opened for', () => {
    for (const role of roles)
      it(`a token of the role ${role}`, () =>
        expectRefusals(stage.as(role), ({ needed }) =>
          roles.indexOf(role) < roles.indexOf(needed) ? forbidden : null,
        ))

    it('a token of another instance, and of none', async () => {
      await expectRefusals({ ...stage.as('admin', 2), instance: 1 }, () => forbidden)
      await expectRefusals({ ...stage.as('admin'), instance: 7 }, () => forbidden)
      await expectRefusals(stage.as('admin', 7), () => notFound)
    })

    it('a token that is not valid', () =>
      expectRefusals({ ...stage.as('admin'), identity: E.left(invalidToken) }, () => invalidToken))

    it('no token, which needs a setting of the instance', async () => {
      const request = { ...stage.as('reader'), identity: null }
      await expectRefusals(request, () => unauthorized)
      for (const [setting, permitted] of Object.entries(opened)) {
        await right(stage.run(changeSettings, stage.as('admin'), { body: { [setting]: true } }))
        await expectRefusals(request, ({ operation }) => (permitted.has(operation) ? null : unauthorized))
        await expectRefusals({ ...request, instance: 2 }, () => unauthorized)
        await expectRefusals({ ...request, instance: 7 }, () => unauthorized)
        await right(stage.run(changeSettings, stage.as('admin'), { body: { [setting]: false } }))
        await expectRefusals(request, () => unauthorized)
      }
    })
  })

  it('returns whether a request is Unauthorized at an address, by its settings', async () => {
    await right(stage.run(changeSettings, stage.as('admin'), { body: { public_downloads: true } }))
    const { identity } = stage.as('public_user')
    for (const [token, instance, openings, expected] of [
      [identity, 1, [], null],
      [identity, 7, [], null],
      [E.left(invalidToken), 1, ['public_downloads'], invalidToken],
      [null, 1, [], unauthorized],
      [null, 1, ['public_downloads'], null],
      [null, 2, ['public_downloads'], unauthorized],
      [null, 7, ['public_downloads'], unauthorized],
    ] as const)
      expect(await stage.useCases.sessions.missingToken(token, instance, openings)).to.deep.equal(expected)
  })

  it('runs for the user of the token, or for an address without one', async () => {
    await right(stage.run(changeSettings, stage.as('admin'), { body: { public_downloads: true } }))
    const callerOf: Operation<null, Pick<Session, 'role' | 'user' | 'requester'>> = {
      ...reading(async (session) => session),
      openedBy: ['public_downloads'],
    }
    expect(await right(stage.run(callerOf, stage.as('editor'), null))).to.deep.include({
      role: 'editor',
      user: 'editor',
      requester: { instance: 1, client: 'user editor', isAnonymous: false },
    })
    const anonymous = { ...stage.as('editor'), identity: null }
    expect(await right(stage.run(callerOf, anonymous, null))).to.deep.include({
      role: 'public_user',
      user: null,
      requester: { instance: 1, client: 'address 192.0.2.1', isAnonymous: true },
    })
  })

  const query = { where: [], order: [], skip: 0, limit: 10, detail: 'light' } as const
  /** All functions that read documents. Each finds the document `x`. */
  const reads: Readonly<
    Record<'get' | 'getMany' | 'find' | 'getRelated', (from: InstanceDocuments) => Promise<unknown>>
  > = {
    get: (from) => from.get('content', 'x'),
    getMany: (from) => from.getMany('content', ['x'], 'light'),
    find: async (from) => (await from.find('content', query)).documents,
    getRelated: async (from) => {
      const found = await from.getRelated({
        documents: [{ collection: 'content', ids: ['x'], detail: 'light' }],
        counts: [{ collection: 'content', key: 'tagged', within: { state: 'draft' } }],
      })
      return [...found.documents.flat(), ...found.counts.flat()]
    },
  }
  const x = { id: 'x', unique: null, value: { state: 'draft', tagged: ['t'] } }

  describe('records what a run depends on:', () => {
    const isCurrent = (dependencies: Dependencies): boolean =>
      [...dependencies].every(([counter, value]) => counter.value === value)

    const isCurrentAfter = async (operation: Operation<null, unknown>): Promise<boolean> => {
      const { execute } = stage.useCases
      return isCurrent((await right(execute(operation, stage.as('reader'), TE.right(null)))).dependencies)
    }

    for (const [what, write, expected] of [
      ['the collection', (urlname) => stage.create(content, article(urlname)), false],
      ['another collection', (urlname) => stage.create(section, aSection(urlname)), true],
      [
        'the collection in another instance',
        (urlname) =>
          right(stage.run(createObject(content), stage.as('editor', 2), { body: article(urlname) })),
        true,
      ],
      [
        'the settings',
        (title) => right(stage.run(changeSettings, stage.as('admin'), { body: { title } })),
        false,
      ],
      ['nothing', () => Promise.resolve(), true],
    ] as readonly (readonly [string, (name: string) => Promise<unknown>, boolean])[])
      it(`after a write of ${what} its result is ${expected ? 'current' : 'outdated'}`, async () => {
        for (const [name, read] of Object.entries(reads)) {
          const readAround = reading(async (session) => {
            await read(session.documents)
            await write(name.toLowerCase())
            return read(session.documents)
          })
          expect(await isCurrentAfter(readAround), name).to.equal(expected)
        }
      })

    it('a write during a read makes its result outdated', async () => {
      for (const call of ['get', 'getRelated', 'find'] as const) {
        const held = documents.hold(call, 'content')
        const running = isCurrentAfter(reading(({ documents: inInstance }) => reads[call](inInstance)))
        await held.reached
        await stage.create(content, article(call.toLowerCase()))
        held.release()
        expect(await running, call).to.equal(false)
      }
    })
  })

  describe('records whether the result of a run changes with time:', () => {
    type Case = readonly [Role, Resource, Parameters, boolean]
    const cases: readonly Case[] = [
      ['reader', content, {}, false],
      ['reader', content, { state: 'published' }, false],
      ['reader', content, { state: 'live' }, true],
      ['public_user', content, {}, true],
      ['reader', location, { fields: 'title' }, false],
      ['reader', location, { fields: 'listing_active' }, true],
      ['reader', location, { type: 'listing' }, false],
      ['public_user', location, { type: 'listing' }, true],
      ['reader', content, { fields: 'title', include: 'location' }, true],
      ['public_user', section, {}, false],
    ]
    beforeEach(async () => {
      const listed = { number: 3, title: 'C', timezone: 'UTC', directory_addon: true }
      await right(stage.useCases.administerInstances.create(listed))
      const editor = stage.as('editor', 3)
      const body = { title: 'A place', urlname: 'place', is_listing: true }
      const place = await right(stage.run(createObject(location), editor, { body }))
      const event = { title: 'E', urlname: 'e', dtstart: '2026-03-01T20:00:00', location_uuid: place }
      await right(
        stage.run(createObject(content), editor, {
          body: { ...event, content_type: 'event', state: 'published' },
        }),
      )
    })
    for (const [role, resource, parameters, expected] of cases)
      it(`${String(expected)} for ${resource.collection} ${JSON.stringify(parameters)} as ${role}`, async () => {
        const { execute } = stage.useCases
        const { isTimed } = await right(
          execute(listObjects(resource), stage.as(role, 3), TE.right({ parameters })),
        )
        expect(isTimed).to.equal(expected)
      })
  })

  describe('opens a session on one instance, which', () => {
    it('reads no documents of another', async () => {
      await right(documents.insert('content', 2, x))
      for (const [name, read] of Object.entries(reads))
        for (const [instance, expected] of [
          [1, true],
          [2, false],
        ] as const) {
          const operation = reading((session) => read(session.documents))
          const found = await right(stage.run(operation, stage.as('reader', instance), null))
          expect(
            [found].flat().every((each) => each === null),
            `${name} on ${instance}`,
          ).to.equal(expected)
        }
    })

    it('writes no documents of another', async () => {
      const before = await right(documents.insert('content', 2, x))
      const target = { collection: 'content', uniqueText: () => null }
      const replacement = { ...x, version: before.version, value: {} }
      const writes: readonly ((session: Session) => Promise<E.Either<unknown, unknown>>)[] = [
        async (session) => E.right(await updateDocument(session, target, 'x', async () => ({}))),
        (session) => session.documents.replace('content', replacement),
        (session) => session.documents.remove('content', 'x', before.version),
      ]
      for (const write of writes) {
        const operation = reading(async (session) => {
          if (E.isLeft(await write(session))) fail(contended)
        })
        expect(await left(stage.run(operation, stage.as('admin'), null))).to.have.property('_tag')
      }
      expect(await right(documents.get('content', 2, 'x'))).to.deep.equal(before)
    })

    it('waits for tasks of the same instance and key, and for no others', async () => {
      const exclusively = reading(({ exclusively: inInstance }, task: () => Promise<unknown>) =>
        inInstance('key', task),
      )
      const ended: string[] = []
      const run = (instance: number, name: string, before = Promise.resolve()) =>
        right(
          stage.run(exclusively, stage.as('reader', instance), async () => {
            await before
            ended.push(name)
          }),
        )
      let release = (): void => undefined
      const first = run(1, 'first of 1', new Promise<void>((resolve) => (release = resolve)))
      const second = run(1, 'second of 1')
      await run(2, 'first of 2')
      release()
      await Promise.all([first, second])
      expect(ended).to.deep.equal(['first of 2', 'first of 1', 'second of 1'])
    })
  })
})
