const HOME = '/dashboard';
const BACK_OFFICE = '/admin';

/**
 * Where to go after login: the given path within this site, otherwise the dashboard, and for members of the team the
 * back office. Refuses whatever a browser could resolve to another site.
 * @param requested value of the query parameter `to`
 */
export function resolveReturnPath(requested: string | null, { isStaff = false } = {}): string {
  const home = isStaff ? BACK_OFFICE : HOME;
  if (requested === null || !requested.startsWith('/')) return home;
  // Browsers read a backslash as a slash and drop control characters: '/\t/evil.example' is another
  // site.
  if (/[\\\p{Cc}]/u.test(requested)) return home;
  const [path = ''] = requested.split(/[?#]/, 1);
  // Headers take ASCII only.
  return path.includes('//') ? home : encodeAscii(requested);
}

const encodeAscii = (text: string): string =>
  text.toWellFormed().replaceAll(/\P{ASCII}+/gu, (letters) => encodeURIComponent(letters));

/** Adds the return path to a page URL, unless it is the dashboard. */
export function appendReturnPath(page: '/login' | '/registration', requested: string | null): string {
  const path = resolveReturnPath(requested);
  return path === HOME ? page : `${page}?to=${encodeURIComponent(path)}`;
}
