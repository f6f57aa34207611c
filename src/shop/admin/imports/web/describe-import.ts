import type { CatalogueImport } from '#src/shop/catalogue/imports/contract.ts';
import { formatNumber } from '#src/shop/format-number.ts';

const STATES: Readonly<Record<CatalogueImport['state'], string>> = {
  checking: 'Checking',
  checked: 'Ready to import',
  refused: 'Has errors',
  applying: 'Importing',
  applied: 'Imported',
  outdated: 'Out of date',
  cancelled: 'Cancelled',
  failed: 'Failed',
};

export const describeState = (state: CatalogueImport['state']): string => STATES[state];

/** Whether the check of the file finished, so that its counts are known. */
export const isChecked = ({ state, lines }: Pick<CatalogueImport, 'state' | 'lines'>): boolean =>
  state !== 'checking' && (lines > 0 || (state !== 'failed' && state !== 'cancelled'));

const PHASES: Readonly<Record<string, string>> = {
  reading: 'Reading the file',
  comparing: 'Comparing products with the catalogue',
  preparing: 'Preparing the changes',
  pictures: 'Loading pictures of other sites',
  writing: 'Writing products',
  stock: 'Updating stock',
};

export function describeProgress({ phase, done, total }: CatalogueImport): string {
  const text = PHASES[phase] ?? 'Working';
  if (total > 0) return `${text}: ${formatCount(done)} of ${formatCount(total)}`;
  return done > 0 ? `${text}: line ${formatCount(done)}` : text;
}

/** An integer with separators. */
export const formatCount = (count: number): string => formatNumber(count).replace(/\.00$/, '');

export const formatCounted = (count: number, one: string, many: string): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

const KILOBYTE = 1024;
export function formatBytes(bytes: number): string {
  if (bytes < KILOBYTE) return `${bytes} bytes`;
  const kilobytes = bytes / KILOBYTE;
  return kilobytes < KILOBYTE ? `${Math.round(kilobytes)} KB` : `${(kilobytes / KILOBYTE).toFixed(1)} MB`;
}
