/** Names of audit entries in plain English. */

const capitalise = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

const ACRONYMS: Readonly<Record<string, string>> = {
  Api: 'API',
  Btc: 'BTC',
  Faq: 'FAQ',
  Sku: 'SKU',
  Url: 'URL',
  Vat: 'VAT',
};

/** "api key" is "API key". */
export const toTitle = (text: string): string =>
  capitalise(text).replace(/^[A-Z][a-z]{2}(?![a-z])/, (word) => ACRONYMS[word] ?? word);

const SUFFIX = /_(?:cents|usd|sats|btc|at)$/;

/** Names with capitals as API calls write them: `taxName` is `tax_name`. */
export const toSnakeCase = (name: string): string =>
  name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** `low_stock_threshold` and `lowStockThreshold` are "Low stock threshold". */
export const describeField = (name: string): string =>
  toTitle(
    toSnakeCase(name)
      .replace(/^(?:is|has)_/, '')
      .replace(/basis_points$/, 'percent')
      .replace(SUFFIX, '')
      .replaceAll(/[_-]/g, ' '),
  );
