/** The version of the API and of the packages; between releases that of the next one with `-dev`. */
export const apiVersion = '0.2.0-dev'

/** The name of the API. */
export const serviceName = 'Publishing Service'
