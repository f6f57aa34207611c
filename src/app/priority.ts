/** The priority of each call and page for load shedding. */
import type { Priority } from '#src/platform/http/priority.ts';
import { isPrivatePath } from '#src/storefront/session/private-paths.ts';

/** Calls of buyers who pay or have paid. Their documents can wait. */
const CRITICAL_CALLS = ['/cart/checkout', '/orders', '/payments', '/wallet', '/pay'];
const BROWSING_CALLS = [
  '/products',
  '/product-cards',
  '/filters',
  '/search',
  '/categories',
  '/brands',
  '/faq',
  '/rate',
  '/reviews',
  '/promotions',
];
const CRITICAL_PAGES = ['/cart', '/pay', '/dashboard/orders'];

const isBelow = (path: string, prefixes: readonly string[]): boolean =>
  prefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));

/** @param key of the contract: `METHOD /path` */
export function getCallPriority(key: string): Priority {
  const [method, path = ''] = key.split(' ');
  if (isBelow(path, CRITICAL_CALLS) && !path.endsWith('/pdf')) return 'critical';
  return method === 'GET' && isBelow(path, BROWSING_CALLS) ? 'browsing' : 'normal';
}

/** @param path without its query */
export function getPagePriority(path: string): Priority {
  if (isBelow(path, CRITICAL_PAGES)) return 'critical';
  return isPrivatePath(path) ? 'normal' : 'browsing';
}
