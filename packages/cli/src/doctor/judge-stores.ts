/** What facts of the stores mean, and of what the service does with them by itself. */
import type { ExaminedWork } from '@publishing-service/application'
import { counted } from '@publishing-service/composition-root'
import { utcTime } from '@publishing-service/domain/time'
import { bytesInWords, durationInWords, programName } from '../result-text.js'
import { fault, fine, orFine, warning, type Finding } from './finding.js'

export type DescribedStore = {
  /** Where it is, without secrets. */
  readonly place: string
  readonly server: string
  readonly isTested: boolean
  readonly schema: 'empty' | 'outdated' | 'current'
}

export const judgeStore = ({ place, server, isTested, schema }: DescribedStore): readonly Finding[] =>
  orFine(
    [
      ...(isTested ? [] : [warning(`${server} is not tested with this version`, 'use a release that is')]),
      ...(schema === 'empty'
        ? [warning(`${place} has no tables yet`, 'the first start of the service creates them')]
        : []),
      ...(schema === 'outdated'
        ? [
            warning(
              `${place} has tables of an earlier version, which were not opened`,
              `make a backup; ${programName} upgrade --check says what the next start does`,
            ),
          ]
        : []),
    ],
    `${place} on ${server} has the tables of this version`,
  )

/** Sessions and moments of publication tolerate less than this, in milliseconds. */
const [noticeableSkew, badSkew] = [2000, 60_000]

/** `skew` is in milliseconds: the clock of the store less that of this machine. */
export const judgeClock = (skew: number): readonly Finding[] => {
  const seconds = durationInWords(Math.abs(skew) / 1000)
  const found = `the clock of the store is ${seconds} ${skew < 0 ? 'behind' : 'ahead of'} that of this machine`
  if (Math.abs(skew) < noticeableSkew) return [fine(found)]
  const advice = 'synchronize the clocks, for example by NTP'
  return [Math.abs(skew) < badSkew ? warning(found, advice) : fault(found, advice)]
}

export type Backups = {
  /** Where they are; null if that is not configured. */
  readonly place: string | null
  /** Hours between two of them; null if the service makes none. */
  readonly every: number | null
  /** The newest complete one; null if there is none. Its time is in milliseconds since 1970. */
  readonly newest: { readonly time: number; readonly isDamaged: boolean; readonly bytes: number } | null
  /** Free bytes of the folder; null for a bucket. */
  readonly freeBytes: number | null
  readonly now: number
}

const hour = 3_600_000
/** Hours that the newest backup may be old where no interval is configured. */
const expectedWithin = 7 * 24

export const judgeBackups = ({ place, every, newest, freeBytes, now }: Backups): readonly Finding[] => {
  const command = `${programName} backup create`
  if (place === null) return [warning('no backups are configured', 'set BACKUP_TO and BACKUP_EVERY')]
  if (newest === null)
    return [
      every === null
        ? warning(`there is no backup in ${place}`, `set BACKUP_EVERY, or run ${command}`)
        : fault(`there is no backup in ${place}`, `start the service, which makes them, or run ${command}`),
    ]
  const { time, isDamaged, bytes } = newest
  if (isDamaged)
    return [fault(`the newest backup, of ${utcTime(time)}, is damaged`, `run ${command}, and backup verify`)]
  const age = (now - time) / hour
  const found = `the newest backup in ${place} is of ${utcTime(time)}, ${durationInWords(Math.max(0, age * 3600))} old`
  const interval = every ?? expectedWithin
  return orFine(
    [
      ...(age <= 1.5 * interval
        ? []
        : [
            every !== null && age > 3 * interval
              ? fault(found, 'look for «backup failed» in the log of the service')
              : warning(found, every === null ? `run ${command}` : 'look for «backup failed» in the log'),
          ]),
      ...(freeBytes !== null && freeBytes < bytes
        ? [
            warning(
              `${bytesInWords(freeBytes)} are free for backups in ${place}, less than the documents of the newest one (${bytesInWords(bytes)})`,
              'make space, or lower BACKUP_KEEP',
            ),
          ]
        : []),
    ],
    found,
  )
}

/** How long a change may wait for its delivery, in milliseconds. */
const acceptableLag = 5 * 60_000

export const judgeHooks = (
  { hooks, switchedOff }: Pick<ExaminedWork, 'hooks' | 'switchedOff'>,
  now: number,
): readonly Finding[] =>
  orFine(
    [
      ...hooks.flatMap(({ id, instance, failingSince, waitingSince }) => {
        const name = `the web hook ${id} of instance ${instance}`
        if (failingSince !== null)
          return [
            warning(`${name} fails since ${utcTime(failingSince)}`, 'see its deliveries in the dashboard'),
          ]
        return waitingSince !== null && now - waitingSince > acceptableLag
          ? [
              warning(
                `changes since ${utcTime(waitingSince)} wait for ${name}`,
                'start the service, or see its log: «delivering failed»',
              ),
            ]
          : []
      }),
      ...(switchedOff === 0
        ? []
        : [
            warning(
              `${counted(switchedOff, 'web hook')} ${switchedOff === 1 ? 'was' : 'were'} switched off, because ${switchedOff === 1 ? 'its receiver' : 'their receivers'} did not work`,
              'delete them, or repair the receivers and switch them on',
            ),
          ]),
    ],
    hooks.length === 0
      ? 'there are no web hooks'
      : `${counted(hooks.length, 'web hook')}, none late or failing`,
  )

export const judgeJobs = (
  { jobs, waitingMail }: Pick<ExaminedWork, 'jobs' | 'waitingMail'>,
  isRunning: boolean,
): readonly Finding[] =>
  orFine(
    [
      ...jobs.flatMap(({ kind, open, isWorkedOn }) => {
        const found = `${open} ${kind} are not finished, and no process works on them`
        if (isWorkedOn) return []
        return [
          isRunning
            ? fault(found, 'see the log of the service')
            : warning(found, 'start the service, which goes on with them'),
        ]
      }),
      ...(waitingMail === 0
        ? []
        : [
            warning(
              `${counted(waitingMail, 'message')} could not be sent yet`,
              'the service tries again; see the check of mail',
            ),
          ]),
    ],
    jobs.every(({ open }) => open === 0) ? 'nothing waits' : 'what was begun is worked on',
  )
