/** What is called for the changes that other processes on the same database make. */
export type ForeignChanges = {
  /** Called for each change of another process that reports its changes too. */
  readonly onChange: (collection: string, instance: number) => void
  /** Called after a time in which anything may have changed. */
  readonly onMissed: () => void
}
