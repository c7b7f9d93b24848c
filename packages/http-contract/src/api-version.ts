/** The version of the API and of the packages; between releases that of the next one with `-dev`. */
export const apiVersion = '0.2.0-dev'

export { serviceName } from '@publishing-service/access'
