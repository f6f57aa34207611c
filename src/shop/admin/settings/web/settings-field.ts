/** A section of the settings: its fields, and how they are read. */
import type { WireRequest } from '#src/shop/codecs.ts';
import type { shopSettingsApi } from '#src/shop/shop-settings/contract.ts';
import type { SettingsOfSections, SettingsSection } from '#src/shop/shop-settings/shop-settings.ts';

export type SettingsBody = WireRequest<(typeof shopSettingsApi)['PUT /shop/settings']>['body'];

type TextKind = 'email' | 'tel' | 'lines' | 'time-zone';

interface FieldText {
  readonly label: string;
  readonly hint?: string;
  /** Maximum of characters; for a switch 0. */
  readonly maxLength: number;
}

export interface SettingsField extends FieldText {
  readonly name: string;
  readonly kind?: TextKind | 'number' | 'picture' | 'switch' | 'choice';
  /** Of a choice: its values, with what they mean. */
  readonly options?: Readonly<Record<string, string>>;
}

/** How a value is entered follows from its type in the contract. */
type FieldOf<Value> = [Value] extends [boolean]
  ? FieldText & { readonly kind: 'switch' }
  : [Value] extends [number]
    ? FieldText & { readonly kind: 'number' }
    : [Value] extends [string]
      ? string extends Value
        ? FieldText & { readonly kind?: TextKind }
        : FieldText & { readonly kind: 'choice'; readonly options: Readonly<Record<Value, string>> }
      : FieldText & { readonly kind: 'picture' };

/** A stored section, with its version. */
export interface StoredSection {
  readonly version: number;
}

interface SectionText {
  readonly title: string;
  /** What the section changes. */
  readonly text: string;
  /** Where related texts are edited. */
  readonly related?: { readonly to: string; readonly text: string };
}

export interface SectionForm extends SectionText {
  readonly id: SettingsSection;
  readonly fields: readonly SettingsField[];
}

interface SectionDescription<Section extends SettingsSection> extends SectionText {
  /** Every field of the section in the contract, in the order of the form. */
  readonly fields: { readonly [Name in keyof SettingsOfSections[Section]]: FieldOf<SettingsOfSections[Section][Name]> };
}

/** A section by the names of its fields. */
export function defineSection<Section extends SettingsSection>(
  id: Section,
  { fields, ...texts }: SectionDescription<Section>,
): SectionForm {
  const named = Object.entries<Omit<SettingsField, 'name'>>(fields).map(([name, field]) => ({ name, ...field }));
  return { id, ...texts, fields: named };
}

export type FieldValues = Readonly<Record<string, string | boolean>>;

const readText = (values: FieldValues, name: string): string => {
  const value = values[name];
  return typeof value === 'string' ? value : '';
};

/** An empty or incomplete entry is refused by the server, beside its field. */
const readNumber = (text: string): number => (text === '' ? -1 : Number(text));

function readValue({ kind, name }: SettingsField, values: FieldValues): string | number | boolean | null {
  if (kind === 'switch') return values[name] === true;
  const text = readText(values, name);
  if (kind === 'lines') return text;
  const trimmed = text.trim();
  if (kind === 'number') return readNumber(trimmed);
  return kind === 'picture' ? trimmed || null : trimmed;
}

/** What of a changed section is sent, with the version that it is based on. */
export const toSectionValues = ({ fields }: Pick<SectionForm, 'fields'>, values: FieldValues, version: number) => ({
  version,
  ...Object.fromEntries(fields.map((field) => [field.name, readValue(field, values)])),
});
