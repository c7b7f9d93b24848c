/** Packages that are installed only where they are used. */

const isMissing = (error: unknown, name: string): boolean =>
  error instanceof Error &&
  'code' in error &&
  ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'].includes(String(error.code)) &&
  error.message.includes(`'${name}'`)

/** What `load` gives; where the package of this name isn't installed, an Error with the message for who starts. */
export const optionalPackage = async <A>(
  name: string,
  load: () => Promise<A>,
  message: string,
): Promise<A> => {
  try {
    return await load()
  } catch (error) {
    throw isMissing(error, name) ? new Error(message, { cause: error }) : error
  }
}
