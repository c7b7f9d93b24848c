import { client } from './api/client.gen'
import { changeContent, listContent, readContent, uploadFile } from './api/sdk.gen'

const {
  SERVICE = '',
  TOKEN = '',
  INSTANCE,
  CONTENT: uuid = '',
  FILE: file = '',
  TITLE: title = '',
} = process.env
const iid = Number(INSTANCE)
client.setConfig({ baseUrl: SERVICE, auth: TOKEN, throwOnError: true })

const { data: page } = await listContent({
  path: { iid },
  query: { fields: ['uuid', 'title'] },
  throwOnError: true,
})
const { data: content } = await readContent({ path: { iid, uuid }, throwOnError: true })
if (!page.items.some(([id, name]) => id === content.uuid && name === content.title))
  throw new Error('it is not listed')
await changeContent({ path: { iid, uuid }, body: { title }, throwOnError: true })
await uploadFile({ path: { iid, uuid: file }, body: new Blob([title]), throwOnError: true })
