/** Path of the dashboard. */
export const dashboardPath = '/dashboard'
