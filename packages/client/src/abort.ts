/** Waits for a promise that cannot be aborted itself. Rejects with the reason of the signal as soon as it is aborted. */
export const unlessAborted = async <T>(signal: AbortSignal, promise: Promise<T>): Promise<T> => {
  signal.throwIfAborted()
  const settled = new AbortController()
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { signal: settled.signal })
  })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    settled.abort()
  }
}

/** Waits for a number of milliseconds, or until the signal is aborted. */
export const pause = async (milliseconds: number, signal: AbortSignal): Promise<void> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds)
  })
  try {
    await unlessAborted(signal, elapsed)
  } finally {
    clearTimeout(timer)
  }
}
