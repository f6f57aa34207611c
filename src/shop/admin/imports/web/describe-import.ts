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

/** A checked file may have no changes. */
export const describeState = ({
  state,
  created_products: created,
  changed_products: changed,
}: Pick<CatalogueImport, 'state' | 'created_products' | 'changed_products'>): string =>
  state === 'checked' && created + changed === 0 ? 'Nothing to import' : STATES[state];

const countProducts = (count: number): string => formatCounted(count, 'product', 'products');

/** What a press imports: `Import 214 products, leave out 3`. */
export function describeImport({
  created_products: created,
  changed_products: changed,
  left_out_products: leftOut,
}: CatalogueImport): string {
  const text = `Import ${countProducts(created + changed)}`;
  return leftOut === 0 ? text : `${text}, leave out ${formatCount(leftOut)}`;
}

/** What an import creates, changes and leaves out, in short. */
export function describeCounts({
  created_products: created,
  changed_products: changed,
  left_out_products: leftOut,
}: CatalogueImport): string {
  const text = `${formatCount(created)} new, ${formatCount(changed)} changed`;
  return leftOut === 0 ? text : `${text}, ${formatCount(leftOut)} left out`;
}

export const describeLeftOut = (leftOut: number): string =>
  `${countProducts(leftOut)} ${leftOut === 1 ? 'has' : 'have'} errors`;

/** Why nothing of a file can be imported. */
export const describeRefusal = ({ left_out_products: leftOut }: CatalogueImport): string =>
  leftOut === 0
    ? 'The file can’t be imported. Correct the errors and upload it again.'
    : `${leftOut === 1 ? 'The only product' : `All ${countProducts(leftOut)}`} of the file ${leftOut === 1 ? 'has' : 'have'} errors, so there is nothing to import. Correct them and upload the file again.`;

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
