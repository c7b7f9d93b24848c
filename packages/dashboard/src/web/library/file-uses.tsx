import { Fieldset } from '@mantine/core'
import type { SidePanelProps } from '../resource/resource-editor.js'
import { UsesList, useUses } from '../resource/uses.js'
import { useTexts } from '../texts/texts.js'

/** The objects that use a file. */
export const FileUses = ({ uuid }: SidePanelProps) => {
  const { library } = useTexts()
  return (
    <Fieldset legend={library.uses}>
      <UsesList uses={useUses('files', [uuid])} uuids={[uuid]} none={library.noUses} />
    </Fieldset>
  )
}
