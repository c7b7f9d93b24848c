/** A number of seconds in words, such as “3 minutes”, rounded up. */
export const timeLeft = (locale: string, seconds: number): string => {
  const [unit, size] =
    seconds < 60
      ? (['second', 1] as const)
      : seconds < 3600
        ? (['minute', 60] as const)
        : (['hour', 3600] as const)
  const style = { style: 'unit', unit, unitDisplay: 'long' } as const
  return new Intl.NumberFormat(locale, style).format(Math.ceil(seconds / size))
}
