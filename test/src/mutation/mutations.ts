/** Rules of the service, each with a change of the code that violates it. Each text occurs once in its file. */

export type Mutation = {
  /** The violated rule. */
  readonly rule: string
  readonly file: string
  readonly text: string
  readonly instead: string
  /** The directory of the compiled tests that run first. All tests follow if they pass. */
  readonly near: string
}

const inPackage =
  (name: string, near = `packages/${name}/dist`) =>
  (file: string, rule: string, text: string, instead: string): Mutation => ({
    rule,
    file: `packages/${name}/src/${file}`,
    text,
    instead,
    near,
  })

const domain = inPackage('domain')
const application = inPackage('application')
const contract = inPackage('http-contract')
const http = inPackage('adapter-koa')
/** Rules that the wire tests check. */
const applicationOnWire = inPackage('application', 'test/dist/wire')
const contractOnWire = inPackage('http-contract', 'test/dist/wire')
const httpOnWire = inPackage('adapter-koa', 'test/dist/wire')
const sqlite = inPackage('adapter-sqlite')
const files = inPackage('adapter-filesystem')
const mongodb = inPackage('adapter-mongodb')

export const mutations: readonly Mutation[] = [
  domain('location/location.ts', 'a window ends after it starts', 'to < from', 'to > from'),
  domain(
    'location/location.ts',
    'a coupon ends when its image is removed',
    "mode === 'patch' && state.coupon_img_uuid",
    "mode === 'put' && state.coupon_img_uuid",
  ),
  domain('path/path-history.ts', 'a derived path can be hidden', '!hidden.has(path)', 'hidden.has(path)'),
  domain(
    'resource/draft-write.ts',
    'the uuid of a body is the one of the path',
    'parseUuid(sent) === id',
    'parseUuid(sent) !== null',
  ),
  domain(
    'resource/draft-write.ts',
    'values of the add-on survive writes without it',
    'if (settings.directory_addon) return state',
    'if (!settings.directory_addon) return state',
  ),
  domain(
    'resource/draft-write.ts',
    'a new object has a time of modification',
    '(isSent ? own.modified : null) ?? now',
    '(isSent ? own.modified : null)',
  ),
  domain(
    'content/has-occurrence.ts',
    'a position in a recurrence rule must exist',
    'Math.abs(place) <= most',
    'Math.abs(place) <= most + 400',
  ),
  domain(
    'content/occurrences.ts',
    'starts that an event leaves out are no occurrences',
    '    .filter((start) => !excluded.has(start))\n',
    '',
  ),
  domain(
    'location/near.ts',
    'distances are measured on a sphere',
    'Math.cos(from) * Math.cos(to) *',
    'Math.cos(from) *',
  ),
  domain(
    'role/role.ts',
    'a role may do what weaker roles may',
    'roles.indexOf(role) >= roles.indexOf(needed)',
    'roles.indexOf(role) === roles.indexOf(needed)',
  ),
  domain(
    'resource/publication.ts',
    'drafts are not live',
    "state === 'published' ? (issued",
    'state !== null ? (issued',
  ),
  domain(
    'resource/publication.ts',
    'public users see only what is live',
    "viewer.role === 'public_user' ? [live(viewer)]",
    "viewer.role === 'reader' ? [live(viewer)]",
  ),
  application(
    'access/exchange-token.ts',
    'a revoked key gets no token',
    'key?.revoked === null ? key : null',
    'key?.revoked !== undefined ? key : null',
  ),
  application(
    'access/principals.ts',
    'tokens of a revoked key end',
    '({ revoked }) => revoked === null',
    '({ revoked }) => revoked !== undefined',
  ),
  application(
    'access/principals.ts',
    'a cached token expires',
    ' && isTokenValid(entry.expires, clock.now())',
    '',
  ),
  application(
    'execute.ts',
    'an operation needs its role',
    '!mayActAs(role, needed)',
    '!mayActAs(needed, role)',
  ),
  application(
    'files/garbage-collection.ts',
    'orphans are quarantined before they are deleted',
    'deletesAfter <= now',
    'deletesAfter > 0',
  ),
  application(
    'files/garbage-collection.ts',
    'nothing is deleted where most blobs look orphaned',
    'held > uploads * maxOrphanShare',
    'held < 0',
  ),
  application(
    'files/upload-file.ts',
    'an upload removes the data it replaces',
    'if (former !== null) await removeUpload(session, former)',
    '',
  ),
  application(
    'objects/remove-object.ts',
    'an object that others need is not deleted',
    'if (blockers !== undefined) return removeReferable',
    'if (blockers !== undefined && blockers.length > 99) return removeReferable',
  ),
  application('objects/write-object.ts', 'a urlname is unique', 'other.id !== id && ', 'other.id === id && '),
  application(
    'homepage/newest-live.ts',
    'the newest story is first',
    'left < right ? 1 : -1',
    'left < right ? -1 : 1',
  ),
  application('tagging/tag-cloud.ts', 'a tag cloud has no tags without objects', 'count > 0 && ', ''),
  application(
    'objects/move-in-tree.ts',
    'the depth of sections is limited',
    'levels < maxSectionDepth',
    'levels < 1',
  ),
  application(
    'objects/load-included.ts',
    'a file of another kind than the reference needs is not included',
    'state === undefined || !isAlive(reference)',
    'state === undefined',
  ),
  applicationOnWire(
    'feed/public-view.ts',
    'feeds and sitemaps are the same for all roles',
    "({ ...session, role: 'public_user' })",
    '({ ...session })',
  ),
  applicationOnWire(
    'feed/read-sitemap.ts',
    'a sitemap contains what the public sees',
    'where: resource.visibility?.(viewerOf(session)) ?? []',
    'where: []',
  ),
  contract('json-text.ts', 'the depth of a body is limited', 'depth > bodyLimits.depth', 'depth > 1e9'),
  contractOnWire(
    'response.ts',
    'only later pages have a link to the previous page',
    'page > 1 ?',
    'page > 2 ?',
  ),
  contract(
    'request-headers.ts',
    'Accept excludes JSON with q=0',
    'Number(quality.slice(2)) > 0',
    'Number(quality.slice(2)) >= 0',
  ),
  http(
    'entity-tag.ts',
    'If-Match compares the current state',
    "tags === '*' || tags.includes(tag))",
    "tags === '*' || tags.includes(tag) || tags.length > 0)",
  ),
  httpOnWire(
    'read-body.ts',
    'a body must be declared as JSON',
    "type !== '' && !jsonType",
    "type === '' && !jsonType",
  ),
  http(
    'connection-limit.ts',
    'connections are limited',
    'if (open.size >= limit) {',
    'if (open.size >= limit * 4) {',
  ),
  sqlite(
    'sqlite-document-store.ts',
    'the size of a document is limited',
    'bytes > largestDocument',
    'bytes > largestDocument * 100',
  ),
  sqlite(
    'apply-batch.ts',
    'a write names the version that it replaces',
    'version !== write.version || sequence',
    'sequence',
  ),
  files(
    'receive-body.ts',
    'the size of a blob is limited',
    'if (bytes > limit) return',
    'if (bytes > limit * 9) return',
  ),
  files(
    'filesystem-blob-store.ts',
    'blobs leave free space on the disk',
    'bavail * bsize <= reserve',
    'bavail * bsize < 0',
  ),
  files(
    'writing-process.ts',
    'the files of a process that ended are removed',
    "start === null || start === writer.start ? 'alive' : 'dead'",
    "'alive'",
  ),
  mongodb(
    'stored-document.ts',
    'the size of a document is limited on MongoDB',
    'bytes > largestDocument ||',
    'bytes > largestDocument * 100 ||',
  ),
  mongodb(
    'mongodb-document-store.ts',
    'a conflict of unique texts is told from one of versions on MongoDB',
    "ofUnique ? { _tag: 'UniqueConflict' } : versionConflict",
    'versionConflict',
  ),
]
