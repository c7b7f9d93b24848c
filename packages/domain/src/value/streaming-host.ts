/**
 * A hosted provider that external media may point at (docs/behaviour/slots-and-media.md#streaming-hosts). A
 * deployment may configure its own table.
 */
export type StreamingHost = {
  /** The name on the wire: video_host_1, video_host_2, audio_host_1. */
  readonly name: string
  /** Other names that clients send; read back under `name`. */
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

// A backslash ends the host as a slash does: that is how browsers follow such an address.
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
