/** Reads cookies and the client address of an upgrade request, which Fastify does not handle. */
import type { IncomingMessage } from 'node:http';

/**
 * Client address according to the trusted proxies. Each has appended the address of its peer to X-Forwarded-For.
 * @param trustedProxies 0: the peer address of the connection
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

/** Raw value of a cookie, or null. The cookies of the shop need no decoding. */
export function readCookie(header: string | undefined, name: string): string | null {
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return null;
}
