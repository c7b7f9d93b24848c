/** The release of the API that the service speaks: that of the packages. */
export const apiVersion = '0.1.0'

/** What the API is called. */
export const serviceName = 'Publishing Service'
