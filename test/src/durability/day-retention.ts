/** What a simulated day leaves behind, and the service removes: deleted objects, audit entries, versions, orphaned data, backups. */
import { randomUUID } from 'node:crypto'
import { cp, readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { expectOk, objectsOf, rowsOf } from '../harness/expect-response.js'
import { smallPng } from '../harness/small-files.js'
import { storeFile, uploadTo } from '../harness/stored-files.js'
import { storedUploads } from './data-folder.js'
import {
  backupsKept,
  day,
  hour,
  iso,
  minute,
  second,
  timeOf,
  versionsKept,
  type DayPlace,
} from './day-place.js'
import { entriesOf } from './log-entries.js'
import { adminOn } from './service-process.js'

export type Retention = {
  /** Makes a version of an object, and replaces the data of a file. */
  readonly change: () => Promise<void>
  readonly checkTrash: () => Promise<void>
  readonly checkAudit: () => Promise<void>
  /** Makes data of an upload that no file names, and that are two days old. */
  readonly plantOrphan: () => Promise<void>
  readonly expectNoOrphans: () => Promise<void>
  readonly orphans: () => number
  /** Looks at the backups that this process of the service has made. */
  readonly checkBackups: () => Promise<void>
}

export const createRetention = async (place: DayPlace): Promise<Retention> => {
  const { folder, backups, hours } = place.options
  const [changed] = place.newPath('content')
  await place.putArticle(changed)
  const [file, fileId] = place.newPath('files')
  await place.put(file, { title: 'A picture', filename: 'a.png' })
  // Of fewer uploads, those that are made orphans would be too many to be deleted.
  for (let stored = 0; stored < 30; stored += 1) await storeFile(place.clients.admin)
  const orphans: string[] = []

  return {
    change: async () => {
      const { admin } = place.clients
      place.count('uploads')
      const title = `Change ${place.counts['uploads']}`
      expectOk(await admin.patch(changed, { title }))
      place.titles.set(changed, title)
      const { length } = objectsOf(await admin.get(`${changed}/versions`))
      place.expect(length > 0 && length <= versionsKept, () => `an object has ${length} versions`)
      await uploadTo(admin, fileId, 'image/png', smallPng)
    },
    checkTrash: async () => {
      const [rows, { earliest, latest }] = await place.timed(() => place.allRows('/trash?fields=uuid'))
      const listed = new Set(rows.map(([uuid]) => String(uuid)))
      for (const [id, when] of place.deleted) {
        const isListed = listed.has(id)
        const isRetained = latest < when.earliest + day
        const isExpired = earliest > when.latest + day + second
        place.expect(
          isListed || !isRetained,
          () => `${id} is not in the trash, deleted at ${iso(when.latest)}`,
        )
        place.expect(!isListed || !isExpired, () => `${id} is in the trash for more than a day`)
      }
      place.counts['objects in the trash'] = listed.size
    },
    checkAudit: async () => {
      const { admin } = place.clients
      const [before, after] = [place.now().earliest, place.now().latest]
      // They are removed each hour.
      const oldest = iso(before - day - hour - place.late).slice(0, 19)
      const old = rowsOf(await admin.get(`/audit?fields=created&created=_${oldest}`))
      place.expect(
        old.length === 0,
        () => `the audit log has an entry of ${String(old[0])} at ${iso(before)}`,
      )
      const young = [...place.deleted].find(([, { earliest }]) => earliest > after - day + hour)
      if (young === undefined) return
      const found = rowsOf(await admin.get(`/audit?fields=operation&objects=${young[0]}`))
      place.expect(found.length > 0, () => `the audit log has nothing of ${young[0]} at ${iso(after)}`)
      place.count('looks at the audit log')
    },
    plantOrphan: async () => {
      const blobs = join(folder.path, 'blobs', 'blobs')
      const [upload = ''] = await storedUploads(folder)
      const [instance = '', , name = ''] = upload.split('/')
      const orphan = join(instance, randomUUID(), name)
      await cp(join(blobs, upload), join(blobs, orphan), { recursive: true })
      const old = new Date(place.now().earliest - 2 * day)
      for (const each of await readdir(join(blobs, orphan))) await utimes(join(blobs, orphan, each), old, old)
      orphans.push(orphan)
    },
    expectNoOrphans: async () => {
      const uploads = new Set(await storedUploads(folder))
      const left = orphans.filter((name) => uploads.has(name))
      place.expect(left.length === 0, () => `orphaned data was not deleted: ${left.join(', ')}`)
      place.count('looks for orphaned data')
    },
    orphans: () => orphans.length,
    checkBackups: async () => {
      const made = entriesOf(place.service.output())
        .filter(({ event }) => event === 'backup made')
        // The name of a backup is the time at which it was begun.
        .map(({ backup }) => timeOf(String(backup).replace(/T(\d+)-(\d+)-/, 'T$1:$2:')))
      const gaps = made.slice(1).map((time, index) => time - (made[index] ?? 0))
      // The place is looked at ten minutes after the last look at the latest.
      for (const gap of gaps)
        place.expect(
          gap >= hour && gap < hour + 11 * minute + place.late,
          () => `two backups were made ${Math.round(gap / minute)} minutes apart`,
        )
      const least = Math.floor(hours / 1.4)
      place.expect(made.length >= least, () => `${made.length} backups were made in ${hours} hours`)
      const list = await adminOn(folder.path, { BACKUP_TO: backups })('backup', 'list')
      const retained = Array.isArray(list) ? list.length : 0
      // One more while the oldest is removed.
      const isRight = retained >= Math.min(backupsKept, made.length) && retained <= backupsKept + 1
      place.expect(isRight, () => `${retained} of ${made.length} backups are retained`)
      place.counts['backups made'] = made.length
      place.counts['backups retained'] = retained
    },
  }
}
