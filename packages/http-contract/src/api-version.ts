/** The release of the API that the service speaks: that of the packages. */
export const apiVersion = '0.1.0'
