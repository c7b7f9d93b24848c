import { resources, type Resource } from '@publishing-service/domain'
import { subjectsWithDrafts, subjectsWithVersions } from '@publishing-service/domain/roles'
import { storyLists } from '@publishing-service/domain/content'
import { taggableCollections } from '@publishing-service/domain/tags'
import { defaultFacts, type DeploymentFacts } from './deployment-facts.js'
import type { Endpoint } from './endpoint.js'
import { accountEndpoints, signInEndpoints } from './accounts/account-endpoints.js'
import { administrationEndpoints } from './administration/administration-endpoints.js'
import { changeEndpoints } from './changes/change-endpoints.js'
import { contentEndpointsOn, draftSlotEndpointsOn } from './content/content-endpoints.js'
import { documentationEndpoints } from './endpoints/documentation-endpoints.js'
import { draftEndpoints } from './drafts/draft-endpoints.js'
import { eventEndpoints } from './events/event-endpoints.js'
import { feedEndpoints } from './feed/feed-endpoints.js'
import { fileEndpointsOn } from './files/file-endpoints.js'
import { storyEndpoints } from './homepage/homepage-endpoints.js'
import { instanceEndpoints } from './instances/instance-endpoints.js'
import { draftListingImageEndpoints, listingImageEndpoints } from './locations/location-endpoints.js'
import { pageEndpointsOn } from './pages/page-endpoints.js'
import { presenceEndpoints } from './presence/presence-endpoints.js'
import { pathEndpoints, pathHistoryEndpoints } from './paths/path-endpoints.js'
import { draftRelatedLinkEndpoints, relatedLinkEndpoints } from './content/related-link-endpoints.js'
import { isOffered, resourceEndpoints, subcollectionEndpoints } from './endpoints/resource-endpoints.js'
import { searchEndpoints } from './search/search-endpoints.js'
import { sectionEndpoints } from './sections/section-endpoints.js'
import { serviceEndpoints } from './endpoints/service-endpoints.js'
import { exportEndpoints } from './bundles/export-endpoints.js'
import { importEndpoints } from './imports/import-endpoints.js'
import { webhookEndpoints } from './webhooks/webhook-endpoints.js'
import { versionEndpoints } from './history/version-endpoints.js'
import { draftTagEndpoints, tagCloudEndpoints, tagEndpoints, tagListEndpoints } from './tags/tag-endpoints.js'

/** The resources whose objects can have tags. */
export const taggableResources = taggableCollections.flatMap((collection) =>
  resources.filter((resource) => resource.collection === collection),
)
/** The resources that have a public path. */
export const resourcesWithPath = resources.filter(({ path }) => path !== undefined)

/** The resources whose objects have versions. */
export const resourcesWithVersions = resources.filter(({ collection }) =>
  subjectsWithVersions.has(collection),
)

/** The resources whose objects have drafts. */
export const resourcesWithDrafts = resources.filter(({ collection }) => subjectsWithDrafts.has(collection))

const endpointsOfResource = (resource: Resource): readonly Endpoint[] => {
  const { list, ...others } = resourceEndpoints(resource)
  const lists = [list, ...subcollectionEndpoints(resource).map(({ endpoint }) => endpoint)]
  return [...lists, ...Object.values(others)].filter((endpoint) => isOffered(resource, endpoint))
}

/** The endpoints of operations that exist once, by id. The others exist for each of several resources or lists. */
export const contract = {
  ...accountEndpoints,
  ...administrationEndpoints,
  ...instanceEndpoints,
  ...contentEndpointsOn(defaultFacts),
  ...eventEndpoints,
  ...fileEndpointsOn(defaultFacts),
  ...tagEndpoints,
  ...tagCloudEndpoints,
  ...sectionEndpoints,
  ...pathEndpoints,
  ...pageEndpointsOn(defaultFacts),
  ...searchEndpoints,
  ...changeEndpoints,
  ...feedEndpoints,
  ...webhookEndpoints,
  ...importEndpoints,
  ...exportEndpoints,
}

/** Every endpoint, with documentation that includes the facts of a deployment. */
export const endpointsOn = (facts: DeploymentFacts): readonly Endpoint[] => [
  ...Object.values(serviceEndpoints),
  ...Object.values(signInEndpoints),
  ...documentationEndpoints,
  ...Object.values(accountEndpoints),
  ...Object.values(administrationEndpoints),
  ...Object.values(instanceEndpoints),
  ...resources.flatMap(endpointsOfResource),
  ...Object.values(contentEndpointsOn(facts)),
  ...Object.values(eventEndpoints),
  ...Object.values(listingImageEndpoints),
  ...Object.values(fileEndpointsOn(facts)),
  ...Object.values(tagEndpoints),
  ...taggableResources.flatMap((resource) => Object.values(tagListEndpoints(resource))),
  ...Object.values(tagCloudEndpoints),
  ...storyLists.flatMap((list) => Object.values(storyEndpoints(list))),
  ...Object.values(sectionEndpoints),
  ...Object.values(pathEndpoints),
  ...Object.values(pageEndpointsOn(facts)),
  ...resourcesWithPath.flatMap((resource) => Object.values(pathHistoryEndpoints(resource))),
  ...resourcesWithVersions.flatMap((resource) => Object.values(versionEndpoints(resource))),
  ...resourcesWithVersions.flatMap((resource) => Object.values(presenceEndpoints(resource))),
  ...resourcesWithDrafts.flatMap((resource) => Object.values(draftEndpoints(resource))),
  ...Object.values(draftSlotEndpointsOn(facts)),
  ...Object.values(draftRelatedLinkEndpoints),
  ...resourcesWithDrafts.flatMap((resource) => Object.values(draftTagEndpoints(resource))),
  ...Object.values(draftListingImageEndpoints),
  ...Object.values(searchEndpoints),
  ...Object.values(changeEndpoints),
  ...Object.values(relatedLinkEndpoints),
  ...Object.values(feedEndpoints),
  ...Object.values(webhookEndpoints),
  ...Object.values(importEndpoints),
  ...Object.values(exportEndpoints),
]

/** Every endpoint, with documentation for the default configuration. */
export const endpoints: readonly Endpoint[] = endpointsOn(defaultFacts)
