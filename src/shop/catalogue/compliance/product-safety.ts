/** Who answers for the safety of a product, and its warnings (Regulation (EU) 2023/988, article 19). */

/** In the order of the page. An address is postal, a contact an email address or a website. */
export const SAFETY_FIELDS = [
  'manufacturer',
  'manufacturer_address',
  'manufacturer_contact',
  'responsible_name',
  'responsible_address',
  'responsible_contact',
  'warnings',
] as const;
export type SafetyField = (typeof SAFETY_FIELDS)[number];

/** Of a brand, or of a product that differs from its brand. An empty text is not given. */
export type ProductSafety = Readonly<Record<SafetyField, string>>;

export const SAFETY_LABELS: ProductSafety = {
  manufacturer: 'Manufacturer',
  manufacturer_address: 'Postal address of the manufacturer',
  manufacturer_contact: 'Email or website of the manufacturer',
  responsible_name: 'Responsible person in the EU',
  responsible_address: 'Postal address of the responsible person',
  responsible_contact: 'Email or website of the responsible person',
  warnings: 'Warnings and safety information',
};

/** In characters. */
export const SAFETY_LIMITS: Readonly<Record<SafetyField, number>> = {
  manufacturer: 200,
  manufacturer_address: 300,
  manufacturer_contact: 200,
  responsible_name: 200,
  responsible_address: 300,
  responsible_contact: 200,
  warnings: 4000,
};

/** Of these only all or none are taken over: addresses of one company never stand beside the name of another one. */
const GROUPS: readonly (readonly SafetyField[])[] = [
  ['manufacturer', 'manufacturer_address', 'manufacturer_contact'],
  ['responsible_name', 'responsible_address', 'responsible_contact'],
  ['warnings'],
];

export const createSafety = (textOf: (field: SafetyField) => string): ProductSafety => ({
  manufacturer: textOf('manufacturer'),
  manufacturer_address: textOf('manufacturer_address'),
  manufacturer_contact: textOf('manufacturer_contact'),
  responsible_name: textOf('responsible_name'),
  responsible_address: textOf('responsible_address'),
  responsible_contact: textOf('responsible_contact'),
  warnings: textOf('warnings'),
});

export const NO_SAFETY: ProductSafety = createSafety(() => '');

const isGiven = (safety: ProductSafety, fields: readonly SafetyField[]): boolean =>
  fields.some((field) => safety[field].trim() !== '');

/** Null if nothing is given. */
export const toGivenSafety = (safety: ProductSafety): ProductSafety | null =>
  isGiven(safety, SAFETY_FIELDS) ? safety : null;

/** What holds for a product: each company and the warnings are its own if it has any, else those of its brand. */
export function mergeSafety(ofBrand: ProductSafety | null, ofProduct: ProductSafety | null): ProductSafety | null {
  const brand = ofBrand ?? NO_SAFETY;
  const product = ofProduct ?? NO_SAFETY;
  const own = new Set(GROUPS.filter((fields) => isGiven(product, fields)).flat());
  return toGivenSafety(createSafety((field) => (own.has(field) ? product : brand)[field].trim()));
}

/** Labels and texts of what is given, in the order of the page. */
export const listSafetyFacts = (safety: ProductSafety | null): readonly (readonly [label: string, text: string])[] =>
  safety === null
    ? []
    : SAFETY_FIELDS.flatMap((field) => (safety[field] === '' ? [] : [[SAFETY_LABELS[field], safety[field]] as const]));
