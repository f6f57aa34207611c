import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a write comes from another site (CSRF), with a cookie or not: without one it could still log
 * in or place an order for the visitor. A request without Origin and Sec-Fetch-Site is not from a browser.
 */
export function isForgedRequest(method: string, headers: IncomingHttpHeaders, origins: ReadonlySet<string>): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  const { origin, 'sec-fetch-site': site } = headers;
  return (origin !== undefined && !origins.has(origin)) || (site !== undefined && site !== 'same-origin');
}
