/** The release of the API: the version of the packages. */
export const apiVersion = '0.1.0'

/** The name of the API. */
export const serviceName = 'Publishing Service'
