/** The legal texts of the shop, in the order of the footer. Each is a page at `/<kind>`. */
export const LEGAL_KINDS = ['terms', 'privacy', 'returns', 'accessibility'] as const;
export type LegalKind = (typeof LEGAL_KINDS)[number];

/** Titles of the pages. */
export const LEGAL_TITLES: Readonly<Record<LegalKind, string>> = {
  terms: 'Terms and conditions',
  privacy: 'Privacy',
  returns: 'Returns and refunds',
  accessibility: 'Accessibility',
};

/** Texts without which a shop is not set up. */
export const REQUIRED_KINDS = LEGAL_KINDS.filter((kind) => kind !== 'accessibility');
