/** Tax classes of products. A country has a rate for each; the zero rate is always 0. */
export const taxClasses = ['standard', 'reduced', 'super-reduced', 'zero'] as const;

export type TaxClass = (typeof taxClasses)[number];

/** Names as staff and buyers read them. */
export const TAX_CLASS_NAMES: Readonly<Record<TaxClass, string>> = {
  standard: 'Standard rate',
  reduced: 'Reduced rate',
  'super-reduced': 'Super-reduced rate',
  zero: 'Zero rate',
};

export const isTaxClass = (text: string): text is TaxClass => taxClasses.some((one) => one === text);

/** A rate in basis points as people read it: 1900 is `19%`, 550 is `5.5%`. */
export const formatTaxRate = (basisPoints: number): string => `${String(basisPoints / 100)}%`;
