/**
 * Loads something at its first use and gives the same from then on; simultaneous uses share one load. A rejection is not
 * kept: the next use loads again. This does not help `import()`, whose rejections Node.js itself keeps for the life of
 * the process, so modules that requests need are imported before the service listens.
 */
export const loadOnce = <A>(load: () => Promise<A>): (() => Promise<A>) => {
  let loading: Promise<A> | null = null
  return () => {
    if (loading === null) {
      const current = load()
      loading = current
      current.catch(() => {
        loading = null
      })
    }
    return loading
  }
}
