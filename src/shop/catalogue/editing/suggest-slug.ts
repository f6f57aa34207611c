const MAX_LENGTH = 100;

/** A slug made of a name, such as 'iphone-17-pro'; empty if the name has no Latin letter or digit. */
export const suggestSlug = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replaceAll(/^-+|-+$/g, '');

/** The slug, or the first of `slug-2`, `slug-3`, … that is not taken. */
export function findFreeSlug(slug: string, isTaken: (slug: string) => boolean): string {
  if (!isTaken(slug)) return slug;
  for (let number = 2; ; number += 1) {
    const candidate = `${slug}-${number}`;
    if (!isTaken(candidate)) return candidate;
  }
}
