/** Which modules of the pages share a file. docs/decisions/0112 says why. */

/** The folder of a part of the shop, such as `catalogue-filters`. */
const nameChunkOfPart = (id: string): string | null => {
  const [, slice, part] = /[\\/]src[\\/]shop[\\/]([a-z-]+)[\\/]([a-z-]+)[\\/]/.exec(id) ?? [];
  if (slice === undefined || slice === 'admin') return null;
  return part === 'web' ? slice : `${slice}-${part}`;
};

/**
 * Code that several pages load at once is bundled by folder: each request costs time on a slow connection, and small
 * files compress worse. The files of a folder are in one group, so that a new file needs no rule. Modules of an earlier
 * group are not in a later one.
 */
export const CHUNK_GROUPS = [
  { name: 'react', test: /[\\/]node_modules[\\/](?:react|react-dom|react-router|scheduler)[\\/]/ },
  // The frame of every page.
  { name: 'frame', test: /[\\/]src[\\/]root\.tsx/ },
  // Loaded by every page: the styles of `src/ui`, which precede those of a page only if every page has them, what the
  // frame, lists and products need of its code, and cards.
  {
    name: 'shop',
    test: /[\\/]src[\\/](?:ui[\\/](?:(?:browser|controls|feedback|graphics|react|styles|text)[\\/]|.+\.css$)|storefront[\\/]products[\\/])/,
    minShareCount: 7,
  },
  // Of lists with a filter, and of forms:
  { name: 'fields', test: /[\\/]src[\\/]ui[\\/]fields[\\/]/, minShareCount: 2 },
  // Not part of the first load of lists and products:
  { name: 'parts', test: /[\\/]src[\\/]ui[\\/](?:copy|dialog|display|layout|page)[\\/]/, minShareCount: 7 },
  // What home and product pages show of products besides: rows, reviews and descriptions.
  {
    name: 'products',
    test: /[\\/]src[\\/](?:storefront[\\/]products|shop[\\/](?:catalogue[\\/]products|inventory[\\/]alerts|reviews)[\\/]web)[\\/]/,
    minShareCount: 2,
  },
  { name: 'storefront', test: /[\\/]src[\\/]storefront[\\/](?!(?:forms|uploads)[\\/])/, minShareCount: 7 },
  // Not part of the first load: pages with a form share it, and the rules for what is typed.
  {
    name: 'form',
    test: /[\\/]src[\\/](?:(?:ui[\\/]form|storefront[\\/]forms)[\\/]|shop[\\/][^\\/]+$)/,
    minShareCount: 2,
  },
  // Buyers upload pictures of a defect, staff those of products.
  { name: 'uploads', test: /[\\/]src[\\/]storefront[\\/]uploads[\\/]/, minShareCount: 2 },
  { name: nameChunkOfPart, minShareCount: 2 },
  // Last, since a group also takes what its modules import: customers would load the back office for a form field.
  { name: 'admin', test: /[\\/]src[\\/]shop[\\/]admin[\\/]/, minShareCount: 2 },
].map((group) => ({ ...group, tags: ['$initial' as const] }));
