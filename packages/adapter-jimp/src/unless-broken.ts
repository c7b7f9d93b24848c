/** Decoders throw strings, assertion errors, range errors and type errors over bad data: `undefined` then. */
export const unlessBroken = async <A>(read: () => A | Promise<A>): Promise<A | undefined> => {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Error || typeof error === 'string') return undefined
    throw error
  }
}
