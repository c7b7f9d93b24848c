import { resources } from '@publishing-service/domain'
import { defaultFacts, type DeploymentFacts } from './deployment-facts.js'
import type { Endpoint } from './endpoint.js'
import { administrationEndpoints } from './endpoints/administration-endpoints.js'
import { contentEndpointsOn } from './endpoints/content-endpoints.js'
import { documentationEndpoints } from './endpoints/documentation-endpoints.js'
import { eventEndpoints } from './endpoints/event-endpoints.js'
import { feedEndpoints } from './endpoints/feed-endpoints.js'
import { fileEndpointsOn } from './endpoints/file-endpoints.js'
import { homepageEndpoints } from './endpoints/homepage-endpoints.js'
import { instanceEndpoints } from './endpoints/instance-endpoints.js'
import { locationEndpoints } from './endpoints/location-endpoints.js'
import { pathEndpoints } from './endpoints/path-endpoints.js'
import { relatedLinkEndpoints } from './endpoints/related-link-endpoints.js'
import { resourceEndpoints } from './endpoints/resource-endpoints.js'
import { searchEndpoints } from './endpoints/search-endpoints.js'
import { sectionEndpoints } from './endpoints/section-endpoints.js'
import { serviceEndpoints } from './endpoints/service-endpoints.js'
import { tagEndpoints } from './endpoints/tag-endpoints.js'

/** Every endpoint, with documentation that includes the facts of a deployment. */
export const endpointsOn = (facts: DeploymentFacts): readonly Endpoint[] => [
  ...serviceEndpoints,
  ...documentationEndpoints,
  ...administrationEndpoints,
  ...instanceEndpoints,
  ...resources.flatMap(resourceEndpoints),
  ...contentEndpointsOn(facts),
  ...eventEndpoints,
  ...locationEndpoints,
  ...fileEndpointsOn(facts),
  ...tagEndpoints,
  ...homepageEndpoints,
  ...sectionEndpoints,
  ...pathEndpoints,
  ...searchEndpoints,
  ...relatedLinkEndpoints,
  ...feedEndpoints,
]

/** Every endpoint, with documentation for the default configuration. */
export const endpoints: readonly Endpoint[] = endpointsOn(defaultFacts)
