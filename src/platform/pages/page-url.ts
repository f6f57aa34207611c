/** What the address of a page says, however it is written. */

/** Plain addresses are what nearly all visitors send. */
const PLAIN = /^(?:\/|(?:\/[a-z0-9_~-][a-z0-9._~-]*)+)$/;

const pathnameOf = (url: string): string => url.split('?', 1)[0] ?? '/';
const isDataRequest = (pathname: string): boolean => pathname.endsWith('.data');

/**
 * The path of the page that is asked for. `/cart.data` and `/_.data` are what the browser fetches when it goes to
 * `/cart` and `/`; case and escapes make no difference, as they make none to the routes.
 */
export function getPagePath(url: string): string {
  const path = pathnameOf(url)
    .replace(/\/_\.data$/, '/')
    .replace(/\.data$/, '');
  try {
    return decodeURIComponent(path).toLowerCase();
  } catch {
    return path.toLowerCase();
  }
}

/**
 * Where a page's one address is, if it was asked for by another one: without a slash at the end or two in a row, in
 * small letters, without needless escapes. Null for the address itself, and for what cannot be read.
 */
export function findRedirect(url: string): string | null {
  const pathname = pathnameOf(url);
  if (PLAIN.test(pathname) || isDataRequest(pathname)) return null;
  const parts = pathname.split('/').filter((part) => part !== '');
  try {
    const path = `/${parts.map((part) => encodeURIComponent(decodeURIComponent(part).toLowerCase())).join('/')}`;
    return path === pathname ? null : path + url.slice(pathname.length);
  } catch {
    return null;
  }
}

/**
 * The address that a public page is kept under, or null for one that is not kept.
 * @param parametersOf which parameters of the query a page depends on; all others are left out. Null for a page that
 *   nothing is known of: with a query it is not kept.
 * @param isRoute whether a name in `_routes` is one of a route: the browser asks for the data of some routes only.
 */
export function getCacheKey(
  url: string,
  parametersOf: (path: string) => readonly string[] | null,
  isRoute: (id: string) => boolean,
): string | null {
  const pathname = pathnameOf(url);
  if (pathname.length === url.length) return pathname;
  const known = parametersOf(getPagePath(url));
  if (known === null) return null;
  const kept = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(url.slice(pathname.length + 1))) {
    if (name === '_routes' && isDataRequest(pathname)) {
      if (!value.split(',').every(isRoute)) return null;
      kept.append(name, value);
    } else if (known.includes(name)) kept.append(name, value);
  }
  kept.sort();
  return kept.size === 0 ? pathname : `${pathname}?${kept.toString()}`;
}
