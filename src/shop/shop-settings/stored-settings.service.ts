/** Reads the stored settings: the fields of the contract are the columns. */
import type { Db } from '#src/platform/database/database.ts';
import { settingsSchemas } from './contract.ts';
import { settingsSections } from './shop-settings.ts';
import type { ShopSettingsData } from './shop-settings.ts';
import * as store from './store.ts';

const COLUMNS: store.SettingsColumns = settingsSections.map((section) => ({
  section,
  columns: Object.keys(settingsSchemas[section].shape),
}));

export const loadShopSettings = (db: Db): Promise<ShopSettingsData> => store.loadShopSettings(db, COLUMNS);

/** Serializes changes until the transaction ends. */
export const lockShopSettings = (tx: Db): Promise<ShopSettingsData> => store.lockShopSettings(tx, COLUMNS);
