import { Fieldset } from '@mantine/core'
import type { BesideProps } from '../resource/resource-editor.js'
import { UsesList, useUses } from '../resource/uses.js'
import { useTexts } from '../texts/texts.js'

/** The objects that use a file. */
export const FileUses = ({ uuid }: BesideProps) => {
  const { library } = useTexts()
  return (
    <Fieldset legend={library.uses}>
      <UsesList uses={useUses('files', [uuid])} uuids={[uuid]} none={library.noUses} />
    </Fieldset>
  )
}
