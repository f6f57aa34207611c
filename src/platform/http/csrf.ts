import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a write with a cookie comes from another site (CSRF). A request without Origin and
 * Sec-Fetch-Site is not from a browser.
 */
export function isForgedRequest(method: string, headers: IncomingHttpHeaders, origins: ReadonlySet<string>): boolean {
  if (method === 'GET' || method === 'HEAD' || !headers.cookie) return false;
  const { origin, 'sec-fetch-site': site } = headers;
  return (origin !== undefined && !origins.has(origin)) || (site !== undefined && site !== 'same-origin');
}
