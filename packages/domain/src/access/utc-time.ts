/** A moment in milliseconds since 1970, as text in UTC with milliseconds. Such texts sort by time. */
export const utcTime = (milliseconds: number): string => new Date(milliseconds).toISOString()
