/** A label made from a name such as `meta_title`. */
export const readable = (name: string): string => {
  const words = name.replace(/_(uuid|uuids)$/, '').replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
