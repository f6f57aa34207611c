/** The pictures of the settings: logo and icon of the shop, and the notice of the legal guarantee. */
import type { Db } from '#src/platform/database/database.ts';
import { isUploadPath } from '#src/shop/pictures/picture-url.ts';
import type { IconProblem, Pictures, PictureUse } from '#src/shop/pictures/service.ts';
import type { SettingsOfSections } from './shop-settings.ts';
import { loadShopSettings } from './stored-settings.service.ts';

type Identity = SettingsOfSections['identity'];
export type PictureLibrary = Pick<Pictures, 'findMissing' | 'makeIcons'>;
/** Messages by field. Empty if there are none. */
export type FieldMessages = Readonly<Record<string, string>>;

const FIELDS = ['logo_path', 'favicon_path', 'guarantee_notice_path'] as const;
const NAMES = {
  logo_path: 'Logo of the shop',
  favicon_path: 'Icon of the shop',
  guarantee_notice_path: 'Notice of the legal guarantee',
} as const;
/** Of a change, which may have other fields. */
type PicturePaths = Partial<Readonly<Record<(typeof FIELDS)[number], string | null>>>;
const MISSING = 'is not a picture of the library. Choose it again';

const ICON_PROBLEMS: Readonly<Record<IconProblem, string>> = {
  'not-found': MISSING,
  damaged: 'cannot be made into icons. Choose another picture',
  'too-slow': 'takes too long to convert. Choose a smaller picture',
  busy: 'cannot be made into icons now. Try again in a moment',
  'storage-full': 'cannot be stored: the disk of the shop is full',
  'storage-unavailable': 'cannot be stored: the storage for pictures does not respond. Try again later',
};

/** Makes the icons of a changed icon of the shop. */
export async function prepareIcons(library: PictureLibrary, before: Identity, after: Identity): Promise<FieldMessages> {
  const { favicon_path: path } = after;
  if (path === null || path === before.favicon_path || !isUploadPath(path)) return {};
  const problem = await library.makeIcons(path);
  return problem === null ? {} : { favicon_path: ICON_PROBLEMS[problem] };
}

/** Refuses changed pictures that the library lacks. Until the transaction ends, the others are not deleted. */
export async function checkPictures(
  tx: Db,
  library: PictureLibrary,
  before: PicturePaths,
  after: PicturePaths | object,
): Promise<FieldMessages> {
  const paths: PicturePaths = after;
  const changed = FIELDS.filter((field) => (paths[field] ?? null) !== null && paths[field] !== before[field]);
  if (changed.length === 0) return {};
  const missing = new Set(
    await library.findMissing(
      tx,
      changed.map((field) => paths[field] ?? ''),
    ),
  );
  return Object.fromEntries(
    changed.filter((field) => missing.has(paths[field] ?? '')).map((field) => [field, MISSING] as const),
  );
}

/** What of the settings shows each of these pictures, by path. */
export async function findSettingUses(
  db: Db,
  paths: readonly string[],
): Promise<ReadonlyMap<string, readonly PictureUse[]>> {
  const { consumers, identity } = await loadShopSettings(db);
  const shown: PicturePaths = { ...identity, ...consumers };
  const uses = new Map<string, PictureUse[]>();
  for (const field of FIELDS) {
    const path = shown[field] ?? null;
    if (path === null || !paths.includes(path)) continue;
    const use: PictureUse = {
      kind: 'setting',
      name: NAMES[field],
      url: `/admin/settings#${field in identity ? 'identity' : 'consumers'}`,
    };
    uses.set(path, [...(uses.get(path) ?? []), use]);
  }
  return uses;
}
