/** The shipping settings: one row. */
import type { JSONColumnType } from 'kysely';
import { compileOnce } from '#src/platform/database/compile-once.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { ShippingSettings, ShippingZone, UnknownWeightRule } from './compute-shipping.ts';

interface Row {
  version: number;
  zones: JSONColumnType<readonly ShippingZone[], never>;
  excluded_countries: string[];
  unknown_weight: UnknownWeightRule;
}

export interface StoredShippingSettings extends ShippingSettings {
  readonly version: number;
}

const tables = (db: Db) => db.$extendTables<Record<'shipping_settings', Row>>();

const selectSettings = compileOnce((db, _none: object) => tables(db).selectFrom('shipping_settings').selectAll());

export async function loadShippingSettings(db: Db): Promise<StoredShippingSettings> {
  const [row] = (await selectSettings(db, {})).rows;
  if (row === undefined) throw new Error('there are no shipping settings');
  const { version, zones, excluded_countries: excludedCountries, unknown_weight: unknownWeight } = row;
  return { version, zones, excludedCountries, unknownWeight };
}

/** Stores the settings unless they changed since the version; false then. */
export async function updateShippingSettings(tx: Db, version: number, settings: ShippingSettings): Promise<boolean> {
  const { numUpdatedRows } = await tables(tx)
    .updateTable('shipping_settings')
    .set({
      version: version + 1,
      zones: JSON.stringify(settings.zones),
      excluded_countries: [...settings.excludedCountries],
      unknown_weight: settings.unknownWeight,
    })
    .where('version', '=', version)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
