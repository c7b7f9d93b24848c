import { textNamed, useTexts } from '../texts/texts.js'
import { readable } from '../../texts/readable.js'

/** The label of an attribute or an option of an import, which can differ from that of an attribute with its name. */
export const useImportLabel = (): ((name: string) => string) => {
  const { imports } = useTexts()
  return (name) => textNamed(imports.labels, name) ?? readable(name)
}
