import { resources } from '@publishing-service/domain'
import type { Endpoint } from './endpoint.js'
import { contentEndpoints } from './endpoints/content-endpoints.js'
import { documentationEndpoints } from './endpoints/documentation-endpoints.js'
import { fileEndpoints } from './endpoints/file-endpoints.js'
import { homepageEndpoints } from './endpoints/homepage-endpoints.js'
import { instanceEndpoints } from './endpoints/instance-endpoints.js'
import { locationEndpoints } from './endpoints/location-endpoints.js'
import { pathEndpoints } from './endpoints/path-endpoints.js'
import { resourceEndpoints } from './endpoints/resource-endpoints.js'
import { serviceEndpoints } from './endpoints/service-endpoints.js'
import { tagEndpoints } from './endpoints/tag-endpoints.js'

/** Every endpoint of the service. */
export const endpoints: readonly Endpoint[] = [
  ...serviceEndpoints,
  ...documentationEndpoints,
  ...instanceEndpoints,
  ...resources.flatMap(resourceEndpoints),
  ...contentEndpoints,
  ...locationEndpoints,
  ...fileEndpoints,
  ...tagEndpoints,
  ...homepageEndpoints,
  ...pathEndpoints,
]
