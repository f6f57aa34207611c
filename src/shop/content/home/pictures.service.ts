/** The pictures of sections. */
import type { Db } from '#src/platform/database/database.ts';
import { isUploadPath } from '#src/shop/pictures/picture-url.ts';
import type { Pictures, PictureUse } from '#src/shop/pictures/service.ts';
import type { SectionName } from './contract.ts';
import { listTexts } from './fill-sections.ts';
import { loadSections } from './store.ts';

export type PictureLibrary = Pick<Pictures, 'findMissing'>;

const NAMES: Readonly<Partial<Record<SectionName, string>>> = {
  hero: 'Hero of the home page',
  advantages: 'Advantages on the home page',
  partners: 'Partners on the home page',
};

/**
 * Messages by field for pictures that the library lacks. Until the transaction ends, the others are
 * not deleted.
 */
export async function checkPictures(
  tx: Db,
  library: PictureLibrary,
  body: object,
): Promise<Readonly<Record<string, string>>> {
  const shown = listTexts(body).filter(([, text]) => isUploadPath(text));
  if (shown.length === 0) return {};
  const missing = new Set(await library.findMissing(tx, [...new Set(shown.map(([, path]) => path))]));
  return Object.fromEntries(
    shown
      .filter(([, path]) => missing.has(path))
      .map(([field]) => [`body.${field}`, 'is not in the picture library any more. Choose it again'] as const),
  );
}

/** The sections that show each of these pictures, by path. A hidden section uses its pictures, too. */
export async function findTextUses(
  db: Db,
  paths: readonly string[],
): Promise<ReadonlyMap<string, readonly PictureUse[]>> {
  const uses = new Map<string, PictureUse[]>();
  if (paths.length === 0) return uses;
  for (const { name, body } of await loadSections(db)) {
    const texts = new Set(listTexts(body).map(([, text]) => text));
    for (const path of paths.filter((one) => texts.has(one))) {
      const use: PictureUse = { kind: 'text', name: findName(name), url: '/admin/content?part=home' };
      uses.set(path, [...(uses.get(path) ?? []), use]);
    }
  }
  return uses;
}

function findName(section: string): string {
  const [, name = 'Texts'] = Object.entries(NAMES).find(([key]) => key === section) ?? [];
  return name;
}
