/** What facts of the machine mean: folders, disks, the runtime and its limits. */
import { bytesInWords } from '../result-text.js'
import { fault, fine, orFine, skipped, warning, type Finding } from './finding.js'

const gibibyte = 1024 ** 3

/** Kinds of file systems by the numbers of Linux, as far as they matter here. */
const networkFileSystems: Readonly<Record<number, string>> = {
  0x6969: 'NFS',
  0x517b: 'SMB',
  0xff534d42: 'CIFS',
  0xfe534d42: 'SMB',
  0x00c36400: 'Ceph',
  0x01021997: '9P',
  0x5346414f: 'AFS',
  0x0bd00bd0: 'Lustre',
  0x01161970: 'GFS2',
  0x7461636f: 'OCFS2',
  0x47504653: 'GPFS',
}
const passingFileSystems: Readonly<Record<number, string>> = {
  0x01021994: 'the memory of the machine (tmpfs)',
  0x794c7630: 'the writable layer of a container (overlayfs)',
}

export type DataFolder = {
  readonly path: string
  /** The permission bits; null on systems without. */
  readonly mode: number | null
  readonly fileSystem: number
  readonly freeBytes: number
  /** Bytes that the stores reserve there. */
  readonly reserve: number
  /** Bytes of the file of the documents; null if they are elsewhere. */
  readonly documentBytes: number | null
}

const spaceFindings = ({ path, freeBytes, reserve, documentBytes }: DataFolder): readonly Finding[] => {
  const free = `${bytesInWords(freeBytes)} are free in ${path}`
  if (freeBytes < reserve)
    return [
      fault(`${free}, less than the reserve of ${bytesInWords(reserve)}`, 'make space: writes return 507'),
    ]
  const copied = (documentBytes ?? 0) + reserve
  if (documentBytes !== null && freeBytes < copied)
    return [
      warning(
        `${free}, less than the documents (${bytesInWords(documentBytes)}), which backups and migrations copy`,
        'make space, or move DATA_DIR to a larger disk',
      ),
    ]
  return freeBytes < gibibyte ? [warning(free, 'make space before writes return 507')] : []
}

export const judgeDataFolder = (folder: DataFolder): readonly Finding[] => {
  const { path, mode, fileSystem, freeBytes, documentBytes } = folder
  const network = networkFileSystems[fileSystem]
  const passing = passingFileSystems[fileSystem]
  return orFine(
    [
      ...(mode !== null && (mode & 0o077) !== 0
        ? [
            warning(
              `${path} has the mode ${mode.toString(8)}: other users of this machine may enter it`,
              `chmod 700 ${path}`,
            ),
          ]
        : []),
      ...(network === undefined
        ? []
        : [
            documentBytes === null
              ? warning(`${path} is on a network file system (${network})`, 'use a local disk for durability')
              : fault(
                  `${path} is on a network file system (${network}), whose locks SQLite cannot rely on`,
                  'move DATA_DIR to a local disk, or use STORE=postgresql',
                ),
          ]),
      ...(passing === undefined
        ? []
        : [
            warning(
              `${path} is on ${passing}, and is lost with it`,
              'mount a volume, and set DATA_DIR to it',
            ),
          ]),
      ...spaceFindings(folder),
    ],
    `${path} can be written, ${bytesInWords(freeBytes)} are free`,
  )
}

export type SecretFile = {
  readonly variable: string
  readonly path: string
  readonly mode: number
}

/** Containers get their secrets here, in a file system of their own, readable by all of its users. */
const containerSecrets = '/run/secrets/'

export const judgeSecretFile = ({ variable, path, mode }: SecretFile): readonly Finding[] => {
  const where = `the file in ${variable}, ${path}, has the mode ${mode.toString(8)}`
  if ((mode & 0o022) !== 0)
    return [fault(`${where}: other users may replace the secret`, `chmod 600 ${path}`)]
  return (mode & 0o044) !== 0 && !path.startsWith(containerSecrets)
    ? [warning(`${where}: other users may read the secret`, `chmod 600 ${path}`)]
    : []
}

export type Runtime = {
  readonly version: string
  /** The releases that the service supports, as in `engines` of a package. */
  readonly supported: string
}

/** Releases that get no security updates. */
const unmaintained = new Set([20])

export const judgeRuntime = ({ version, supported }: Runtime): readonly Finding[] => {
  const major = Number(version.split('.')[0])
  const majors = supported.split(' || ').map((range) => Number(/\d+/.exec(range)?.[0]))
  const name = `Node ${version}`
  if (!majors.includes(major)) return [warning(`${name} is not tested with this version`, 'install Node 24')]
  return unmaintained.has(major)
    ? [warning(`${name} is supported, but gets no security updates any more`, 'install Node 24')]
    : [fine(`${name} is supported`)]
}

/** Each connection needs one, and so does each file that is read or written. */
const enoughDescriptors = 4096

/** `limit` is null if it is unknown, and Infinity if there is none. */
export const judgeDescriptors = (limit: number | null): readonly Finding[] => {
  if (limit === null) return [skipped('this system does not tell the limit of open files')]
  return limit < enoughDescriptors
    ? [
        warning(
          `a process that is started here may open ${limit} files and connections`,
          `raise the limit of the service to ${enoughDescriptors} or more (LimitNOFILE of systemd, ulimit -n)`,
        ),
      ]
    : [fine(`a process that is started here may open ${limit === Infinity ? 'any number of' : limit} files`)]
}

export type Zones = {
  /** Release of the time zone data, such as 2026a; null if it is unknown. */
  readonly release: string | null
  readonly year: number
  /** Zones of instances that the runtime does not know. */
  readonly unknown: readonly string[]
}

/** Zones change several times a year, and what an older release has is wrong for some of them. */
const usableYears = 2

export const judgeZones = ({ release, year, unknown }: Zones): readonly Finding[] => {
  const named = release === null ? 'time zone data of an unknown release' : `time zone data of ${release}`
  const age = release === null ? 0 : year - Number.parseInt(release, 10)
  return orFine(
    [
      ...unknown.map((zone) =>
        fault(`an instance is in ${zone}, which is not in the ${named}`, 'update Node'),
      ),
      ...(age > usableYears ? [warning(`${named} are ${age} years old`, 'update Node')] : []),
    ],
    named,
  )
}

export type TemporaryFolder = {
  readonly path: string
  readonly isWritable: boolean
  readonly freeBytes: number
  /** The largest file that an import reads from there. */
  readonly largest: number
}

export const judgeTemporaryFolder = (folder: TemporaryFolder): readonly Finding[] => {
  const { path, isWritable, freeBytes, largest } = folder
  const advice = 'set TMPDIR to another folder'
  if (!isWritable) return [fault(`${path} cannot be written: imports and exports fail`, advice)]
  const free = `${bytesInWords(freeBytes)} are free in ${path}`
  return freeBytes < largest
    ? [
        warning(
          `${free}, less than the largest file of an import (APPLICATION_LIMIT, ${bytesInWords(largest)})`,
          `make space, or ${advice}`,
        ),
      ]
    : [fine(`${free}, for files of imports and exports while they run`)]
}
