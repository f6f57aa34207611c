/** The tax settings: one row. */
import type { JSONColumnType } from 'kysely';
import { compileOnce } from '#src/platform/database/compile-once.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { TaxClass } from './tax-class.ts';
import type { PriceMode } from './tax-snapshot.ts';
import type { CountryRate, TaxSettings } from './taxation.ts';

interface Row {
  version: number;
  price_mode: PriceMode;
  tax_name: string;
  home_country: string;
  has_reverse_charge: boolean;
  shipping_class: TaxClass;
  rates: JSONColumnType<readonly CountryRate[], never>;
}

export interface StoredTaxSettings extends TaxSettings {
  readonly version: number;
}

const tables = (db: Db) => db.$extendTables<Record<'tax_settings', Row>>();

const selectSettings = compileOnce((db, _none: object) => tables(db).selectFrom('tax_settings').selectAll());

export async function loadTaxSettings(db: Db): Promise<StoredTaxSettings> {
  const [row] = (await selectSettings(db, {})).rows;
  if (row === undefined) throw new Error('there are no tax settings');
  return {
    version: row.version,
    priceMode: row.price_mode,
    taxName: row.tax_name,
    homeCountry: row.home_country,
    hasReverseCharge: row.has_reverse_charge,
    shippingClass: row.shipping_class,
    rates: row.rates,
  };
}

/** Stores the settings unless they changed since the version; false then. */
export async function updateTaxSettings(tx: Db, version: number, settings: TaxSettings): Promise<boolean> {
  const { numUpdatedRows } = await tables(tx)
    .updateTable('tax_settings')
    .set({
      version: version + 1,
      price_mode: settings.priceMode,
      tax_name: settings.taxName,
      home_country: settings.homeCountry,
      has_reverse_charge: settings.hasReverseCharge,
      shipping_class: settings.shippingClass,
      rates: JSON.stringify(settings.rates),
    })
    .where('version', '=', version)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
