/**
 * The lines of a text that is read in pieces, without their line breaks. Calls `onTooLong` with the number of a line that has more
 * characters than the most.
 */
export async function* linesOf(
  pieces: AsyncIterable<string>,
  most = Infinity,
  onTooLong: (line: number) => void = () => undefined,
): AsyncGenerator<string, void, void> {
  let begun: string[] = []
  let [length, number] = [0, 1]
  for await (const piece of pieces) {
    const [first = '', ...others] = piece.split('\n')
    begun.push(first)
    length += first.length
    if (length > most) onTooLong(number)
    for (const other of others) {
      yield begun.join('')
      begun = [other]
      length = other.length
      number += 1
      if (length > most) onTooLong(number)
    }
  }
  const last = begun.join('')
  if (last !== '') yield last
}
