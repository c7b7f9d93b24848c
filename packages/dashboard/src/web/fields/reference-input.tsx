import { Anchor, CloseButton, Combobox, Group, Input, InputBase, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link } from 'wouter'
import { FilePicker } from '../library/file-picker.js'
import classes from '../library/library.module.css'
import { Thumbnail } from '../library/thumbnail.js'
import { textOf } from '../../json.js'
import { useInstance } from '../service/place.js'
import { titleIn } from '../service/titles.js'
import { useObject } from '../service/use-object.js'
import { useTexts } from '../texts/texts.js'
import { wrapperOf, type InputProps } from './input-props.js'
import { ObjectPicker } from './object-picker.js'

/** The title of an object that is referred to. */
export const useTitle = (collection: string, uuid: string | null): string | null => {
  const { data } = useObject(collection, uuid)
  return data === undefined ? null : titleIn(data.value)
}

/** An object of a collection, chosen by its title, or a file of the library, chosen by its picture. */
export const ReferenceInput = (props: InputProps<'reference'>) => {
  const { label, value, onChange, disabled, taken = [] } = props
  const { collection, media } = props.type
  const { form, library } = useTexts()
  const { iid } = useInstance()
  const uuid = typeof value === 'string' ? value : null
  const { data } = useObject(collection, uuid)
  const title = (data && titleIn(data.value)) ?? uuid
  const [isOpen, { open, close }] = useDisclosure(false)
  const isFile = collection === 'files'
  const choose = isFile ? library.choose : form.choose
  return (
    <Input.Wrapper {...wrapperOf(props)} labelElement="div">
      <Group wrap="nowrap">
        {isFile && uuid !== null && (
          <div className={classes['chosen']}>
            <Thumbnail
              download={textOf(data?.value['download_url'])}
              mimetype={textOf(data?.value['mimetype'])}
              alt={title ?? ''}
            />
          </div>
        )}
        <InputBase
          component="button"
          type="button"
          pointer
          flex={1}
          miw={0}
          disabled={disabled}
          aria-label={[label, ...(isFile && uuid !== null ? [library.replace] : []), title ?? choose].join(
            ': ',
          )}
          onClick={open}
          aria-haspopup="dialog"
          rightSection={
            uuid === null || disabled === true ? (
              <Combobox.Chevron />
            ) : (
              <CloseButton
                size="sm"
                aria-label={`${form.clear}: ${label}`}
                onMouseDown={(event) => event.preventDefault()}
                onClick={(event) => {
                  event.stopPropagation()
                  onChange(null)
                }}
              />
            )
          }
          rightSectionPointerEvents={uuid === null ? 'none' : 'all'}
        >
          <Text component="span" inherit truncate display="block">
            {title ?? <Input.Placeholder>{choose}</Input.Placeholder>}
          </Text>
        </InputBase>
      </Group>
      {isOpen &&
        (isFile ? (
          <FilePicker
            media={media}
            onClose={close}
            onChoose={([first]) => {
              if (first !== undefined) onChange(first.uuid)
            }}
          />
        ) : (
          <ObjectPicker
            collection={collection}
            title={label}
            taken={uuid === null ? taken : [uuid]}
            onClose={close}
            onChoose={onChange}
          />
        ))}
      {uuid !== null && (
        <Anchor component={Link} href={`/${iid}/${collection}/${uuid}`} size="xs">
          {title}
        </Anchor>
      )}
    </Input.Wrapper>
  )
}
