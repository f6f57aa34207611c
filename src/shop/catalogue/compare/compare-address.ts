/** How many products are compared at once. */
export const MOST_COMPARED = 4;

/** Names of an address that are looked up: more than can be shown, since some may not be on sale. */
const MOST_LOOKED_UP = 8;
const LONGEST_SLUG = 120;

/** The slugs that `?products=a,b` or `?products=a&products=b` names, each once. */
export function comparedSlugs(parameters: Pick<URLSearchParams, 'getAll'>): readonly string[] {
  const named = parameters.getAll('products').flatMap((list) => list.split(','));
  const slugs = named.map((slug) => slug.trim().toLowerCase()).filter((slug) => slug !== '');
  return [...new Set(slugs)].filter((slug) => slug.length <= LONGEST_SLUG).slice(0, MOST_LOOKED_UP);
}

/** Where these products are compared. */
export const compareAddress = (slugs: readonly string[]): string =>
  slugs.length === 0 ? '/compare' : `/compare?products=${slugs.map(encodeURIComponent).join(',')}`;
