import Bowser from 'bowser'
import { useTexts } from '../texts/texts.js'

/** Browser and system, as far as the browser says. */
export const useDeviceText = () => {
  const { account } = useTexts()
  return (agent: string | null): string => {
    if (agent === null || agent === '') return account.unknownDevice
    const { browser, os } = Bowser.parse(agent)
    const known = [browser.name, os.name].filter((name) => name !== undefined && name !== '')
    return known.length === 2
      ? account.deviceOf({ browser: String(known[0]), system: String(known[1]) })
      : (known[0] ?? agent)
  }
}
