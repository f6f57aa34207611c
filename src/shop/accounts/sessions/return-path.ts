const HOME = '/dashboard';

/**
 * Where a visitor goes who has just signed in: back to where he was sent from, but only within this site. Whatever a
 * browser might read as another site, or rewrite into one, leads to the dashboard.
 * @param wanted what the address says after `?to=`
 */
export function resolveReturnPath(wanted: string | null): string {
  if (wanted === null || !wanted.startsWith('/')) return HOME;
  // Browsers take a backslash for a slash, and drop control characters: '/\t/evil.example' is another site.
  if (/[\\\p{Cc}]/u.test(wanted)) return HOME;
  const [path = ''] = wanted.split(/[?#]/, 1);
  return path.includes('//') ? HOME : wanted;
}

/** The address of a page that leads on to `wanted` by and by; without a place of one's own it stays as it is. */
export function appendReturnPath(page: '/login' | '/registration', wanted: string | null): string {
  const path = resolveReturnPath(wanted);
  return path === HOME ? page : `${page}?to=${encodeURIComponent(path)}`;
}
