/** A provider that external media may link to (docs/behaviour/slots-and-media.md#streaming-hosts). A deployment may configure its own table. */
export type StreamingHost = {
  /** The name on the wire: video_host_1, video_host_2, audio_host_1. */
  readonly name: string
  /** Other names that clients may send; stored as `name`. */
  readonly aliases: readonly string[]
  /** Host names that `url` may have; a leading dot matches every subdomain. */
  readonly hosts: readonly string[]
}

export const defaultStreamingHosts: readonly StreamingHost[] = [
  {
    name: 'video_host_1',
    aliases: ['youtube'],
    hosts: ['youtube.com', '.youtube.com', 'youtu.be', '.youtube-nocookie.com'],
  },
  { name: 'video_host_2', aliases: ['vimeo'], hosts: ['vimeo.com', '.vimeo.com'] },
  { name: 'audio_host_1', aliases: ['soundcloud'], hosts: ['soundcloud.com', '.soundcloud.com', 'snd.sc'] },
]

// Browsers read a backslash as a slash, so it ends the host.
const hostOf = (url: string): string | null =>
  /^https?:\/\/(?:[^/?#@\\]*@)?([^/?#:@\\]+)(?::\d+)?(?:[/?#\\]|$)/i.exec(url)?.[1]?.toLowerCase() ?? null

/** Whether the address is one of the provider's. */
export const isHostedBy = (provider: StreamingHost, url: string): boolean => {
  const host = hostOf(url)
  return (
    host !== null &&
    provider.hosts.some((pattern) => (pattern.startsWith('.') ? host.endsWith(pattern) : host === pattern))
  )
}
