import { Anchor, Button, Group, Input, Stack } from '@mantine/core'
import { Link } from 'wouter'
import { wrapperOf, type InputProps } from '../fields/input-props.js'
import { useInstance } from '../service/place.js'
import { useObject } from '../service/use-object.js'
import { useTexts } from '../texts/texts.js'
import { FileChooser } from './file-picker.js'
import classes from './library.module.css'
import { Thumbnail } from './thumbnail.js'
import { fileRow, fileTitle } from './file-row.js'

/** A file of the library, chosen by its picture. */
export const FileInput = (props: InputProps<'reference'>) => {
  const { label, value, onChange, type, disabled } = props
  const { library, form } = useTexts()
  const { iid } = useInstance()
  const uuid = typeof value === 'string' ? value : null
  const { data } = useObject('files', uuid)
  const file = data === undefined ? null : fileRow(data.value)
  return (
    <Input.Wrapper {...wrapperOf(props)} labelElement="div">
      <Group mt={4} wrap="nowrap" align="center">
        {uuid !== null && (
          <div className={classes['chosen']}>
            <Thumbnail
              download={file?.download_url ?? null}
              mimetype={file?.mimetype ?? null}
              alt={file === null ? '' : fileTitle(file)}
            />
          </div>
        )}
        <Stack gap={4}>
          {uuid !== null && (
            <Anchor component={Link} href={`/${iid}/files/${uuid}`} size="sm" lineClamp={1}>
              {file === null ? uuid : fileTitle(file)}
            </Anchor>
          )}
          <Group gap="xs">
            <FileChooser
              onChoose={([first]) => {
                if (first !== undefined) onChange(first.uuid)
              }}
              media={type.media}
              disabled={disabled}
              aria-label={`${label}: ${uuid === null ? library.choose : library.replace}`}
            >
              {uuid === null ? library.choose : library.replace}
            </FileChooser>
            {uuid !== null && (
              <Button
                variant="subtle"
                color="gray"
                size="xs"
                disabled={disabled}
                onClick={() => onChange(null)}
                aria-label={`${form.clear}: ${label}`}
              >
                {form.clear}
              </Button>
            )}
          </Group>
        </Stack>
      </Group>
    </Input.Wrapper>
  )
}
