/**
 * What this machine can do for an uncached GET of one object: Koa and the tables of the service, and between them only what such a
 * response needs: token, role, count of requests, object, section, check of types, ASCII, entity tag. It sends the bytes that the
 * service sends for the sample.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { compileFunction } from 'node:vm'
import Koa from 'koa'
import { Database } from '@publishing-service/adapter-sqlite/better-sqlite3'
import { isJsonObject, type Json, type JsonObject } from '@publishing-service/domain/json'

const { DATA_DIR = '', TOKEN = '', SAMPLE = '', PORT = '' } = process.env
const base = `http://127.0.0.1:${PORT}`

const database = new Database(`${DATA_DIR}/documents.sqlite`, { readonly: true })
database.pragma('cache_size = -32768')

/** The table of the documents of a collection. */
const tableOf = (collection: string): string =>
  String(database.prepare('SELECT documents FROM publishing_layouts WHERE name = ?').pluck().get(collection))
type Row = readonly [id: string, light: string, heavy: string | null]
const contentRow = database
  .prepare<[number, string], Row>(
    `SELECT id, light, heavy FROM "${tableOf('content')}" WHERE instance = ? AND id = ?`,
  )
  .raw()
const sectionRow = database
  .prepare<[number, string], Row>(
    `SELECT id, light, heavy FROM "${tableOf('sections')}" WHERE instance = ? AND id = ?`,
  )
  .raw()

const objectOf = (text: string): JsonObject => {
  const value: unknown = JSON.parse(text)
  if (!isJsonObject(value)) throw new Error('no object')
  return value
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64')
const roles = new Map([[hashOf(TOKEN), 'reader']])
const counts = new Map<string, number>()

const pathOf = (instance: number, id: Json | undefined): string => {
  if (typeof id !== 'string') return '/'
  const row = sectionRow.get(instance, id)
  if (row === undefined) return '/'
  const { urlname, parent_uuid: parent } = objectOf(row[1])
  return `${pathOf(instance, parent)}${String(urlname)}/`
}

/** What follows from the object and its section; each other attribute is what is stored, or that of the sample if its type is another. */
const derived: Readonly<Record<string, string>> = {
  uuid: 'id',
  url: 'url',
  perma_url_path: 'path + stored.urlname + "/"',
}
const sample = objectOf(readFileSync(SAMPLE, 'utf8'))
const members = Object.entries(sample).map(([name, usual]) => {
  const quoted = JSON.stringify(name)
  const value = `stored[${quoted}]`
  const checked =
    usual === null || typeof usual === 'object'
      ? `${value} ?? null`
      : `typeof ${value} === '${typeof usual}' ? ${value} : ${value} ?? ${JSON.stringify(usual)}`
  return `${quoted}: ${derived[name] ?? checked}`
})
/** One object literal, as a compiled reader has it. */
const view: unknown = compileFunction(`return {${members.join(',')}}`, ['stored', 'id', 'url', 'path'])
if (typeof view !== 'function') throw new Error('the view is no function')

const inAscii = (text: string): string =>
  text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

let served = 0
const application = new Koa()
application.use(async (context) => {
  served += 1
  const { authorization = '' } = context.req.headers
  const token = hashOf(authorization.slice(7))
  if (!roles.has(token)) return
  counts.set(token, (counts.get(token) ?? 0) + 1)
  const [, instance = '', , id = ''] = context.path.split('/')
  const row = contentRow.get(Number(instance), id)
  if (row === undefined) return
  const [, light, heavy] = row
  const stored = heavy === null ? objectOf(light) : { ...objectOf(light), ...objectOf(heavy) }
  const body = Buffer.from(
    inAscii(
      JSON.stringify(
        view(
          stored,
          id,
          `${base}/${instance}/content/${id}`,
          pathOf(Number(instance), stored['section_uuid']),
        ),
      ),
    ),
    'latin1',
  )
  context.respond = false
  context.res
    .writeHead(200, {
      'Content-Type': 'application/json',
      'Content-Length': body.length,
      ETag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
      'Cache-Control': 'private, max-age=60',
      Vary: 'Accept, Authorization',
      'X-Request-Id': `r${served}`,
    })
    .end(body)
})
application.listen(Number(PORT), '127.0.0.1')
