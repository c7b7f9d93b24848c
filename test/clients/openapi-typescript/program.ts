import createClient from 'openapi-fetch'
import type { paths } from './api.js'

const {
  SERVICE = '',
  TOKEN = '',
  INSTANCE,
  CONTENT: uuid = '',
  FILE: file = '',
  TITLE: title = '',
} = process.env
const iid = Number(INSTANCE)

const client = createClient<paths>({
  baseUrl: SERVICE,
  headers: { Authorization: `Bearer ${TOKEN}` },
  querySerializer: { array: { style: 'form', explode: false } },
})

const dataOf = <D>({ data, error }: { data?: D; error?: unknown }): D => {
  if (data === undefined) throw new Error(JSON.stringify(error))
  return data
}

const query = { fields: ['uuid' as const, 'title' as const] }
const { items } = dataOf(await client.GET('/{iid}/content', { params: { path: { iid }, query } }))
const content = dataOf(await client.GET('/{iid}/content/{uuid}', { params: { path: { iid, uuid } } }))
if (!items.some(([id, name]) => id === content.uuid && name === content.title))
  throw new Error('it is not listed')
dataOf(await client.PATCH('/{iid}/content/{uuid}', { params: { path: { iid, uuid } }, body: { title } }))
dataOf(
  await client.POST('/{iid}/files/{uuid}', {
    params: { path: { iid, uuid: file } },
    headers: { 'Content-Type': 'text/plain' },
    body: title,
    bodySerializer: (text: string) => text,
  }),
)
