import { Code, Group, Stack, Text } from '@mantine/core'
import { useTexts } from '../texts/texts.js'
import { CopyText } from './copy-text.js'

/** A key or a secret, with a button that copies it. */
export const ShownSecret = ({ label, value }: { readonly label: string; readonly value: string }) => {
  const { access } = useTexts()
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        {label}
      </Text>
      <Group wrap="nowrap">
        <Code className="version" style={{ flex: 1 }}>
          {value}
        </Code>
        <CopyText size="xs" label={access.copy} name={label} text={value} />
      </Group>
    </Stack>
  )
}
