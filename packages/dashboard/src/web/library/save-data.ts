/** Has the browser save data as a file with this name. */
export const saveData = (data: Blob, name: string): void => {
  const url = URL.createObjectURL(data)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
