/** Maximum number of compared products. */
export const MAX_COMPARED = 4;

/** Maximum number of look-ups: more than are shown, since some may be unavailable. */
const MAX_LOOKED_UP = 8;
const MAX_SLUG_LENGTH = 120;

/** Slugs in `?products=a,b` or `?products=a&products=b`, without duplicates. */
export function parseComparedSlugs(parameters: Pick<URLSearchParams, 'getAll'>): readonly string[] {
  const named = parameters.getAll('products').flatMap((list) => list.split(','));
  const slugs = named.map((slug) => slug.trim().toLowerCase()).filter((slug) => slug !== '');
  return [...new Set(slugs)].filter((slug) => slug.length <= MAX_SLUG_LENGTH).slice(0, MAX_LOOKED_UP);
}

/** URL of the comparison of these products. */
export const formatCompareUrl = (slugs: readonly string[]): string =>
  slugs.length === 0 ? '/compare' : `/compare?products=${slugs.map(encodeURIComponent).join(',')}`;
