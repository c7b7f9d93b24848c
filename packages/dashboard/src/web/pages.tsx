import { lazy, Suspense, type ComponentType } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import type { ResourceModel } from '@publishing-service/dashboard'
import { model } from 'virtual:model'
import { AuditPage } from './access/audit-page.js'
import { InstancesPage } from './access/instances-page.js'
import { UserPage } from './access/user-page.js'
import { UsersPage } from './access/users-page.js'
import { ContentPanels } from './content/content-panels.js'
import { useSlotParts } from './content/use-slot-parts.js'
import { HistoryButton } from './history/history-button.js'
import { FilePreview } from './library/file-preview.js'
import { LibraryPage } from './library/library-page.js'
import { Overview } from './layout/overview.js'
import { Loading, NoSuchPage } from './layout/messages.js'
import { NextOccurrences } from './publication/next-occurrences.js'
import { ResourceEditor } from './resource/resource-editor.js'
import { ResourceList } from './resource/resource-list.js'
import { CommentActions, commentActionFields } from './structure/comment-actions.js'
import { RedirectTest } from './structure/redirect-test.js'
import { mayOpen, useInstance } from './service/place.js'
import { SettingsPage } from './resource/settings-page.js'
import { FileUses } from './resource/uses.js'

/** Few open these. */
const TrashPage = lazy(async () => ({ default: (await import('./trash/trash-page.js')).TrashPage }))
const WebhooksPage = lazy(async () => ({
  default: (await import('./webhooks/webhooks-page.js')).WebhooksPage,
}))
const WebhookPage = lazy(async () => ({ default: (await import('./webhooks/webhook-page.js')).WebhookPage }))

const ExportsPage = lazy(async () => ({ default: (await import('./exports/exports-page.js')).ExportsPage }))
const ImportsPage = lazy(async () => ({ default: (await import('./imports/imports-page.js')).ImportsPage }))
const NewImportPage = lazy(async () => ({
  default: (await import('./imports/new-import-page.js')).NewImportPage,
}))
const ImportPage = lazy(async () => ({ default: (await import('./imports/import-page.js')).ImportPage }))

type ListPage = ComponentType<{ readonly resource: ResourceModel }>
/** `uuid` is null on the page that creates an object. */
type EditorPage = ComponentType<{ readonly resource: ResourceModel; readonly uuid: string | null }>

/** These pages are loaded with the library for dragging. */
const HomepagePage = lazy(async () => ({
  default: (await import('./structure/homepage-page.js')).HomepagePage,
}))

const MembersEditor = lazy(async () => ({ default: (await import('./structure/lists.js')).MembersEditor }))
const ListingImages = lazy(async () => ({ default: (await import('./structure/lists.js')).ListingImages }))
const SectionsPage = lazy(async () => ({
  default: (await import('./structure/sections-page.js')).SectionsPage,
}))

/** The pages of resources that need more than the general list and form. */
const special: Readonly<Record<string, { readonly list?: ListPage; readonly editor?: EditorPage }>> = {
  content: {
    editor: (props) => (
      <ResourceEditor {...props} header={NextOccurrences} sidePanel={ContentPanels} useParts={useSlotParts} />
    ),
  },
  locations: { editor: (props) => <ResourceEditor {...props} sidePanel={ListingImages} /> },
  homepage: {
    list: (props) => <HomepagePage {...props} history={HistoryButton} />,
    editor: NoSuchPage,
  },
  comments: {
    list: (props) => (
      <ResourceList
        {...props}
        actions={CommentActions}
        rowFields={commentActionFields}
        parentField="parent_uuid"
      />
    ),
  },
  redirects: { list: (props) => <ResourceList {...props} header={<RedirectTest />} /> },
  tag_categories: { editor: (props) => <ResourceEditor {...props} header={MembersEditor} /> },
  sections: { list: SectionsPage },
  files: {
    list: LibraryPage,
    // A file is created by an upload.
    editor: (props) =>
      props.uuid === null ? (
        <NoSuchPage />
      ) : (
        <ResourceEditor {...props} header={FilePreview} sidePanel={FileUses} />
      ),
  },
}

/** The pages of an instance that the role may open. */
export const Pages = () => {
  const { role } = useInstance()
  const [location] = useLocation()
  const [, , page] = location.split('/')
  return page === undefined || page === '' || mayOpen(role, page) ? <KnownPages /> : <NoSuchPage />
}

/** The pages of users and the audit log, on an instance and on the service. */
const accessRoutes = (base: string) => [
  <Route key="users" path={`${base}/users`} component={UsersPage} />,
  <Route key="user" path={`${base}/users/:uuid`}>
    {({ uuid }) => <UserPage key={uuid} uuid={uuid} />}
  </Route>,
  <Route key="audit" path={`${base}/audit`} component={AuditPage} />,
]

const KnownPages = () => (
  <Suspense fallback={<Loading />}>
    <Switch>
      <Route path="/:iid" component={Overview} />
      <Route path="/:iid/settings" component={SettingsPage} />
      <Route path="/:iid/trash" component={TrashPage} />
      <Route path="/:iid/webhooks" component={WebhooksPage} />
      <Route path="/:iid/webhooks/:uuid">{({ uuid }) => <WebhookPage key={uuid} uuid={uuid} />}</Route>
      <Route path="/:iid/imports" component={ImportsPage} />
      <Route path="/:iid/imports/new" component={NewImportPage} />
      <Route path="/:iid/imports/:uuid">{({ uuid }) => <ImportPage key={uuid} uuid={uuid} />}</Route>
      <Route path="/:iid/exports" component={ExportsPage} />
      {accessRoutes('/:iid')}
      {model.resources.flatMap((resource) => {
        const { list: List = ResourceList, editor: Editor = ResourceEditor } =
          special[resource.collection] ?? {}
        const base = `/:iid/${resource.collection}`
        return [
          <Route key={base} path={base}>
            <List key={resource.collection} resource={resource} />
          </Route>,
          <Route key={`${base}/new`} path={`${base}/new`}>
            <Editor key={resource.collection} resource={resource} uuid={null} />
          </Route>,
          <Route key={`${base}/uuid`} path={`${base}/:uuid`}>
            {({ uuid }) => <Editor key={uuid} resource={resource} uuid={uuid} />}
          </Route>,
        ]
      })}
      <Route component={NoSuchPage} />
    </Switch>
  </Suspense>
)

/** The pages of the service, for operators. */
export const ServicePages = () => (
  <Switch>
    {accessRoutes('/service')}
    <Route path="/service/instances" component={InstancesPage} />
    <Route component={NoSuchPage} />
  </Switch>
)
