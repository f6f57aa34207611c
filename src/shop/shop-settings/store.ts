/** The settings of the shop: one row with a version for each section. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import type { SettingsOfSections, SettingsSection, ShopSettingsData } from './shop-settings.ts';

/** The columns of each section. They hold texts, whole numbers and truth values, which JSON keeps in their order. */
export type SettingsColumns = readonly { readonly section: SettingsSection; readonly columns: readonly string[] }[];

const createSection = ({ section, columns }: SettingsColumns[number]): RawBuilder<unknown> => {
  const values = columns.map((column) => sql`${sql.lit(column)}, ${sql.ref(column)}`);
  return sql`json_build_object('version', ${sql.ref(`${section}_version`)}, ${sql.join(values)}) as ${sql.ref(section)}`;
};

const select = (columns: SettingsColumns): RawBuilder<ShopSettingsData> => sql`
  select ${sql.join(columns.map(createSection))},
    former_order_prefixes as "formerOrderPrefixes"
  from shop_settings`;

async function readRow(db: Db, query: RawBuilder<ShopSettingsData>): Promise<ShopSettingsData> {
  const [row] = (await query.execute(db)).rows;
  if (!row) throw new Error('the settings of the shop have no row');
  return row;
}

export const loadShopSettings = (db: Db, columns: SettingsColumns): Promise<ShopSettingsData> =>
  readRow(db, select(columns));

/** Serializes changes until the transaction ends. */
export const lockShopSettings = (tx: Db, columns: SettingsColumns): Promise<ShopSettingsData> =>
  readRow(tx, sql`${select(columns)} for update`);

/** Stores a section and increments its version. The row must be locked. */
export async function updateSection(
  tx: Db,
  section: SettingsSection,
  version: number,
  values: SettingsOfSections[SettingsSection],
  formerOrderPrefixes: readonly string[],
): Promise<void> {
  const changed = Object.entries(values).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
  await sql`
    update shop_settings set ${sql.join(changed)}, ${sql.ref(`${section}_version`)} = ${version},
      former_order_prefixes = ${formerOrderPrefixes}::text[]
  `.execute(tx);
}
