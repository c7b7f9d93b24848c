/** What the parts of a simulated day share: the service of the moment, clients of it, what was counted, and what is wrong. */
import type { Json, JsonObject } from '@publishing-service/domain/json'
import { randomUUID } from 'node:crypto'
import { expectOk, objectsOf, rowsOf, uuidOf } from '../harness/expect-response.js'
import { createApi, type Api } from '../harness/http-client.js'
import type { Receiver } from '../harness/webhook-receiver.js'
import { addEvent } from './delivered-events.js'
import type { DataFolder } from './data-folder.js'
import { startFastService, type FastService, type TimeSpan } from './fast-service.js'
import { entriesOf, logFaults } from './log-entries.js'
import { patient } from './patient-client.js'
import { bootstrapKey, type Environment } from './service-process.js'
import { createWatches, type TimedWatches } from './timed-watch.js'

export const second = 1000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour

export const iso = (time: number): string => new Date(time).toISOString()

/** A time in a response, in milliseconds. */
export const timeOf = (value: Json | undefined): number => Date.parse(String(value))

export type DayOptions = {
  readonly folder: DataFolder
  /** The folder of the backups. */
  readonly backups: string
  readonly receiver: Receiver
  /** When the day begins, how long it is, and how fast. */
  readonly from: number
  readonly hours: number
  readonly speed: number
  /** By how much the clock is set forward while the service is stopped at the end. */
  readonly leap: number
  readonly onHour: (line: string) => void
}

type Key = { readonly key: string; readonly secret: string }

type Clients = { readonly operator: Api; readonly admin: Api; readonly visitor: Api }

/** The least that the configuration allows, but for the trash, which is to have something. */
const retention = { TRASH_DAYS: 1, AUDIT_DAYS: 1, REPLACED_DATA_DAYS: 1, ORPHAN_QUARANTINE_DAYS: 0 } as const
export const versionsKept = 3
export const backupsKept = 3
/** Requests without a token in a minute. */
export const publicRate = 5

const environmentFor = (backups: string): Environment => ({
  ...Object.fromEntries(Object.entries(retention).map(([name, days]) => [name, String(days)])),
  VERSIONS_KEPT: String(versionsKept),
  BACKUP_TO: backups,
  BACKUP_EVERY: '1',
  BACKUP_KEEP: String(backupsKept),
  LOG_LEVEL: 'info',
  WEBHOOKS_ALLOW_PRIVATE: 'true',
  RATE_LIMIT: 'process',
  RATE_LIMIT_KEY: '1000000',
  RATE_LIMIT_ADDRESS: '1000000',
  RATE_LIMIT_PUBLIC: String(publicRate),
  // Limits of time that the machine would reach first.
  JSON_SECONDS: '1800',
  SCALING_SECONDS: '3600',
})

/** Whole numbers below 2³¹ from which the times of schedules are taken, the same ones in each run. */
const randomNumbers = (): (() => number) => {
  let last = 12_345
  return () => {
    last = (last * 48_271) % 2_147_483_647
    return last / 2_147_483_647
  }
}

export class DayPlace {
  readonly faults: string[] = []
  readonly counts: Record<string, number> = {}
  readonly watches: TimedWatches = createWatches()
  /** How late a task may run that the service repeats: a machine that is busy for so long delays it. */
  readonly late: number
  /** What was acknowledged: the title of each object that is left, by its path, and when others were deleted. */
  readonly titles = new Map<string, string>()
  readonly deleted = new Map<string, TimeSpan>()
  /** What the public was told, by object. */
  readonly feed = new Map<string, string[]>()
  #next = 'now'
  readonly #random = randomNumbers()

  private constructor(
    readonly options: DayOptions,
    public service: FastService,
    readonly instance: number,
    private readonly keys: { readonly admin: Key; readonly visitor: Key },
    public clients: Clients,
  ) {
    this.late = 2 * minute + 20 * second * options.speed
  }

  /** Starts the service at the speed of the machine, and makes an instance. */
  static async open(options: DayOptions): Promise<DayPlace> {
    const service = await startFastService(options.folder.path, environmentFor(options.backups), {
      from: options.from,
      speed: 1,
    })
    const operator = patient(createApi(service.url, await newToken(service, bootstrapKey)))
    const settings = { timezone: 'Europe/Vienna', directory_addon: true, public_reading: true }
    const created = expectOk(await operator.post('/instances', { title: 'The Fast Day', ...settings }))
    const instance = Number(created.object['id'])
    const newKey = async (role: string): Promise<Key> => {
      const roles = [{ instance, roles: [role] }]
      const user = uuidOf(await operator.post('/users', { name: role, roles }))
      const key = expectOk(await operator.post(`/users/${user}/keys`, {})).object
      return { key: String(key['api_key']), secret: String(key['api_secret']) }
    }
    const keys = { admin: await newKey('admin'), visitor: await newKey('public_user') }
    const clients = { operator, admin: operator, visitor: operator }
    const place = new DayPlace(options, service, instance, keys, clients)
    await place.signIn()
    return place
  }

  count(what: string, by = 1): void {
    this.counts[what] = (this.counts[what] ?? 0) + by
  }

  expect(holds: boolean, fault: () => string): void {
    if (!holds) this.faults.push(fault())
  }

  now(): TimeSpan {
    return this.service.now()
  }

  /** Between which times something is done. */
  async timed<A>(work: () => Promise<A>): Promise<readonly [A, TimeSpan]> {
    const { earliest } = this.now()
    const result = await work()
    return [result, { earliest, latest: this.now().latest }]
  }

  /** A time between the two from now on, in whole seconds. */
  soon(least: number, most: number): number {
    return Math.ceil((this.now().latest + least + this.#random() * (most - least)) / second) * second
  }

  /** A client of the service of the moment. */
  at(path: string, token: string | null = null): Api {
    return patient(createApi(`${this.service.url}${path}`, token))
  }

  ofInstance(token: string | null = null): Api {
    return this.at(`/${this.instance}`, token)
  }

  /** A new token, whose end is watched. */
  async #watchedToken(key: Key): Promise<string> {
    const [token, { earliest, latest }] = await this.timed(() => newToken(this.service, key))
    this.count('tokens issued')
    this.watches.add({
      what: `the token of ${iso(earliest)}`,
      from: 0,
      until: earliest + day,
      delay: latest - earliest + second,
      first: earliest + day - hour,
      look: async () => {
        const { status } = await this.ofInstance(token).get('/settings')
        if (status === 401) this.count('tokens expired')
        return status === 200
      },
    })
    return token
  }

  /** New tokens for all clients. */
  async signIn(): Promise<void> {
    const { admin, visitor } = this.keys
    this.clients = {
      operator: this.at('', await newToken(this.service, bootstrapKey)),
      admin: this.ofInstance(await this.#watchedToken(admin)),
      visitor: this.ofInstance(await this.#watchedToken(visitor)),
    }
  }

  /** Stops the service, and looks at what it has logged. */
  async stop(): Promise<void> {
    const before = this.service.output().length
    const code = await this.service.stop()
    this.expect(code === 0, () => `the service ended with ${String(code)}`)
    const lines = this.service.output()
    this.faults.push(...logFaults(lines.slice(0, before)))
    // A stop waits half a second of the service for its tasks. Those that it has not waited for fail, which is no defect.
    this.faults.push(...logFaults(lines.slice(before).filter((line) => line.includes('"defect"'))))
    for (const { event, count = null, uploads = null } of entriesOf(lines))
      if (event !== 'request') this.count(`log: ${String(event)}`, Number(count ?? uploads ?? 1))
  }

  /** Starts the stopped service at this time. Clients keep their tokens. */
  async start(from: number): Promise<void> {
    const { folder, backups, speed } = this.options
    this.service = await startFastService(folder.path, environmentFor(backups), { from, speed })
    const { operator, admin, visitor } = this.clients
    this.clients = {
      operator: this.at('', operator.token),
      admin: this.ofInstance(admin.token),
      visitor: this.ofInstance(visitor.token),
    }
  }

  newPath(collection: string): readonly [path: string, id: string] {
    const id = randomUUID()
    return [`/${collection}/${id}`, id]
  }

  async put(path: string, body: JsonObject): Promise<void> {
    expectOk(await this.clients.admin.put(path, body))
    this.titles.set(path, String(body['title']))
  }

  async putArticle(path: string, more: JsonObject = {}): Promise<void> {
    const urlname = path.split('/').at(-1) ?? ''
    await this.put(path, { content_type: 'article', title: 'One', urlname, state: 'published', ...more })
  }

  /** Reads on in the feed of the public. */
  async readFeed(): Promise<void> {
    for (;;) {
      const response = expectOk(await this.clients.visitor.get(`/changes?since=${this.#next}`))
      const isStart = this.#next === 'now'
      this.#next = String(response.object['next'])
      const items = objectsOf(response)
      for (const { uuid, kind } of items) addEvent(this.feed, uuid, String(kind))
      this.count('changes in the feed', items.length)
      if (items.length === 0 || isStart) return
    }
  }

  /** The rows of all pages. */
  async allRows(path: string): Promise<readonly (readonly Json[])[]> {
    const rows: (readonly Json[])[] = []
    for (let page = 1; ; page += 1) {
      const response = await this.clients.admin.get(`${path}&rpp=100&page=${page}`)
      rows.push(...rowsOf(response))
      if (response.object['next'] === undefined) return rows
    }
  }

  /** Compares all that was acknowledged. */
  async compareObjects(): Promise<void> {
    const { admin } = this.clients
    for (const [path, title] of this.titles) {
      const { object, status } = await admin.get(path)
      const found = `${status}, ${String(object['title'])}`
      this.expect(status === 200 && object['title'] === title, () => `${path}: ${found} instead of ${title}`)
    }
    for (const id of this.deleted.keys()) {
      const { status } = await admin.get(`/content/${id}`)
      this.expect(status === 404, () => `${id} was deleted, and a request for it gets ${status}`)
    }
    this.counts['objects compared'] = this.titles.size + this.deleted.size
  }
}

const newToken = async ({ url }: FastService, { key, secret }: Key): Promise<string> => {
  const form = { grant_type: 'client_credentials', api_key: key, api_secret: secret }
  const response = await patient(createApi(url)).send('POST', '/oauth/token', {
    body: new URLSearchParams(form).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  })
  return String(expectOk(response).object['access_token'])
}
