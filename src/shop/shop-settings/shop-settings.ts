/** The settings of the shop, by section. Each section is what its schema in `contract.ts` says. An empty text is not set. */
import type { DescribedSections } from './contract.ts';

export type SettingsSection = keyof DescribedSections;
/** An interface, so that TypeScript narrows the values of any section by their fields. */
export interface SettingsOfSections extends DescribedSections {}

/** In the order in which they are stored. */
export const settingsSections = [
  'identity',
  'legal',
  'orders',
  'refunds',
  'time',
  'late_payments',
  'returns',
  'mail',
  'announcement',
  'prices',
  'consumers',
  'retention',
] as const satisfies readonly SettingsSection[];

/** A section with its version, which each change increments. */
export type Versioned<Section extends SettingsSection> = SettingsOfSections[Section] & { readonly version: number };
export type ShopSettingsData = { readonly [Section in SettingsSection]: Versioned<Section> } & {
  readonly formerOrderPrefixes: readonly string[];
};
