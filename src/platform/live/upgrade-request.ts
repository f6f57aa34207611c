/** What Fastify tells of a request, for one that never comes to it. */
import type { IncomingMessage } from 'node:http';

/**
 * Who is at the other end, by as many proxies as are believed: each has added to X-Forwarded-For whom it talks to.
 * @param trustedProxies 0: nobody is believed, and the connection's own other end is it.
 */
export function findClientAddress(
  {
    headers,
    socket,
  }: Pick<IncomingMessage, 'headers'> & { readonly socket: { readonly remoteAddress?: string | undefined } },
  trustedProxies: number,
): string {
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  const hops = [
    socket.remoteAddress ?? '',
    ...forwarded
      .map((hop) => hop.trim())
      .filter(Boolean)
      .toReversed(),
  ];
  return hops[Math.min(trustedProxies, hops.length - 1)] ?? '';
}

/** A cookie's value as it was sent; null when there is none of this name. The shop's own need no decoding. */
export function readCookie(header: string | undefined, name: string): string | null {
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return null;
}
