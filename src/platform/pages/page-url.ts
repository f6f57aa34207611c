/** Canonical paths and cache keys of page URLs. */

/** Matches canonical paths without escapes, the common case. */
const PLAIN = /^(?:\/|(?:\/[a-z0-9_~-][a-z0-9._~-]*)+)$/;

const getPathname = (url: string): string => url.split('?', 1)[0] ?? '/';
const isDataRequest = (pathname: string): boolean => pathname.endsWith('.data');

/**
 * The path of the requested page. The browser fetches `/cart.data` and `/_.data` to navigate to `/cart` and `/`. Case and
 * escapes are normalized, as in route matching.
 */
export function getPagePath(url: string): string {
  const path = getPathname(url)
    .replace(/\/_\.data$/, '/')
    .replace(/\.data$/, '');
  try {
    return decodeURIComponent(path).toLowerCase();
  } catch {
    return path.toLowerCase();
  }
}

/**
 * The canonical URL to redirect to: lower case, without repeated or trailing slashes and needless escapes. Null if the URL
 * is canonical or malformed.
 */
export function findRedirect(url: string): string | null {
  const pathname = getPathname(url);
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
 * The cache key of a public page, or null if it is not cacheable.
 * @param listParameters the query parameters a page depends on; others are dropped. Null for an unknown page, which is not
 *   cacheable with a query.
 * @param isRoute whether a name in `_routes` is a route: the browser may request the data of some routes only
 */
export function getCacheKey(
  url: string,
  listParameters: (path: string) => readonly string[] | null,
  isRoute: (id: string) => boolean,
): string | null {
  const pathname = getPathname(url);
  if (pathname.length === url.length) return pathname;
  const known = listParameters(getPagePath(url));
  if (known === null) return null;
  const relevant = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(url.slice(pathname.length + 1))) {
    if (name === '_routes' && isDataRequest(pathname)) {
      if (!value.split(',').every(isRoute)) return null;
      relevant.append(name, value);
    } else if (known.includes(name)) relevant.append(name, value);
  }
  relevant.sort();
  return relevant.size === 0 ? pathname : `${pathname}?${relevant.toString()}`;
}
