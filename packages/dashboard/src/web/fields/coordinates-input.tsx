import { Anchor, Group, Input, NumberInput } from '@mantine/core'
import { useTexts } from '../texts/texts.js'
import type { InputProps } from './input-props.js'

/** Latitude and longitude in degrees. */
export const CoordinatesInput = ({
  label,
  help,
  fault,
  value,
  onChange,
  disabled,
}: InputProps<'coordinates'>) => {
  const { form } = useTexts()
  const [latitude = null, longitude = null] = Array.isArray(value) ? value : []
  const set = (next: readonly [unknown, unknown]) => {
    const [north, east] = next.map((each) => (typeof each === 'number' ? each : null))
    onChange(north === null && east === null ? null : [north ?? null, east ?? null])
  }
  return (
    <Input.Wrapper label={label} description={help} error={fault} labelElement="div">
      <Group grow>
        <NumberInput
          aria-label={`${label}: ${form.latitude}`}
          placeholder={form.latitude}
          value={typeof latitude === 'number' ? latitude : ''}
          onChange={(next) => set([next, longitude])}
          disabled={disabled}
          hideControls
          decimalScale={7}
        />
        <NumberInput
          aria-label={`${label}: ${form.longitude}`}
          placeholder={form.longitude}
          value={typeof longitude === 'number' ? longitude : ''}
          onChange={(next) => set([latitude, next])}
          disabled={disabled}
          hideControls
          decimalScale={7}
        />
      </Group>
      {typeof latitude === 'number' && typeof longitude === 'number' && (
        <Anchor
          size="sm"
          href={`https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`}
          target="_blank"
          rel="noopener noreferrer"
        >
          {form.map}
        </Anchor>
      )}
    </Input.Wrapper>
  )
}
