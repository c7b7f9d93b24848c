import { ChangesApi, Configuration, ContentApi, FilesApi } from './api'

const {
  SERVICE = '',
  TOKEN = '',
  INSTANCE,
  CONTENT: uuid = '',
  FILE: file = '',
  SECTION: sectionUuid = '',
  TITLE: title = '',
} = process.env
const iid = Number(INSTANCE)
const configuration = new Configuration({ basePath: SERVICE, accessToken: TOKEN })
const contents = new ContentApi(configuration)

const expect = (holds: boolean, fault: string): void => {
  if (!holds) throw new Error(fault)
}

const { items: rows } = await contents.listContent({ iid, fields: ['uuid', 'title'] })
const content = await contents.readContent({ iid, uuid })
expect(
  rows.some(([id, name]) => id === content.uuid && name === content.title),
  'it is not listed',
)

const urlname = 'created'
const contentInput = { contentType: 'article', title, urlname, state: 'published', sectionUuid } as const
const { uuid: created } = await contents.createContent({ iid, contentInput })
const page = await contents.readWebPage({ iid, path: `/sport/${urlname}/` })
expect(page.kind === 'content' && page.object.uuid === created, 'the page shows another object')

await contents.changeContentDraft({ iid, uuid, contentDraftChange: { title } })
await contents.publishContentDraft({ iid, uuid })
const { items: versions } = await contents.listContentVersions({ iid, uuid })
expect(versions.length === 2, 'there are not two versions')
const { items: changes } = await new ChangesApi(configuration).listChanges({ iid, types: ['content'] })
expect(
  changes.some((change) => change.uuid === uuid),
  'the feed does not have the change',
)

await new FilesApi(configuration).uploadFile({ iid, uuid: file, body: new Blob([title]) })
