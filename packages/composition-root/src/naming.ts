/** Says which variables a part was opened with when it can't be opened; its own words say the rest. */
export const naming = async <A>(variables: string, opening: Promise<A>): Promise<A> => {
  try {
    return await opening
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    throw new Error(`${words} (see ${variables})`, { cause: error })
  }
}
