/** A section of the settings: its fields, and how they are read. */
import type { WireRequest } from '#src/shop/codecs.ts';
import type { shopSettingsApi } from '#src/shop/shop-settings/contract.ts';
import type { SettingsSection } from '#src/shop/shop-settings/shop-settings.ts';

export type SettingsBody = WireRequest<(typeof shopSettingsApi)['PUT /shop/settings']>['body'];

export interface SettingsField {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  /** Maximum of characters; for a switch 0. */
  readonly maxLength: number;
  readonly kind?: 'email' | 'tel' | 'number' | 'lines' | 'picture' | 'switch' | 'time-zone' | 'choice';
  /** Of a choice: its values, with what they mean. */
  readonly options?: Readonly<Record<string, string>>;
}

/** A stored section, with its version. */
export interface StoredSection {
  readonly version: number;
}

export interface SectionForm {
  readonly id: SettingsSection;
  readonly title: string;
  /** What the section changes. */
  readonly text: string;
  /** Where related texts are edited. */
  readonly related?: { readonly to: string; readonly text: string };
  readonly fields: readonly SettingsField[];
  /** What of a changed section is sent, with the version that it is based on. */
  readonly toBody: (values: FieldValues, version: number) => SettingsBody;
}

export type FieldValues = Readonly<Record<string, string | boolean>>;

export const readText = (values: FieldValues, name: string): string => {
  const value = values[name];
  return typeof value === 'string' ? value : '';
};

/** An empty or incomplete entry is refused by the server, beside its field. */
export const readNumber = (values: FieldValues, name: string): number => {
  const text = readText(values, name).trim();
  return text === '' ? -1 : Number(text);
};
