/** Says which variables a part was opened with when it can't be opened; its own words say the rest. */

/** `variables` by the options that they became; an error whose `option` is one of them names that variable alone. */
export const naming = async <A>(
  variables: Readonly<Record<string, string>>,
  opening: Promise<A>,
): Promise<A> => {
  try {
    return await opening
  } catch (error) {
    // Some servers answer in several lines.
    const words = (error instanceof Error ? error.message : String(error)).replaceAll(/\s*\n\s*/g, ' ')
    const option = error instanceof Error && 'option' in error ? String(error.option) : ''
    const named = variables[option] ?? Object.values(variables).join(', ')
    throw new Error(`${words} (see ${named})`, { cause: error })
  }
}
