/** How many products are compared at once. */
export const MAX_COMPARED = 4;

/** Names of an address that are looked up: more than can be shown, since some may not be on sale. */
const MAX_LOOKED_UP = 8;
const MAX_SLUG_LENGTH = 120;

/** The slugs that `?products=a,b` or `?products=a&products=b` names, each once. */
export function parseComparedSlugs(parameters: Pick<URLSearchParams, 'getAll'>): readonly string[] {
  const named = parameters.getAll('products').flatMap((list) => list.split(','));
  const slugs = named.map((slug) => slug.trim().toLowerCase()).filter((slug) => slug !== '');
  return [...new Set(slugs)].filter((slug) => slug.length <= MAX_SLUG_LENGTH).slice(0, MAX_LOOKED_UP);
}

/** Where these products are compared. */
export const formatCompareUrl = (slugs: readonly string[]): string =>
  slugs.length === 0 ? '/compare' : `/compare?products=${slugs.map(encodeURIComponent).join(',')}`;
