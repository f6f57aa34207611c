import { useEffect } from 'react';
import { createStore } from '#src/ui/react/store.ts';
import { Button, ButtonLink } from '#src/ui/controls/button.tsx';
import { Icon } from '#src/ui/graphics/icons.tsx';
import { formatCompareUrl, MAX_COMPARED } from '../compare-url.ts';
import styles from './compare-bar.module.css';

interface ComparedProduct {
  readonly slug: string;
  readonly name: string;
}

interface ComparisonState {
  /** Slug of the category that all of them share. */
  readonly category: string;
  readonly products: readonly ComparedProduct[];
}

const NOTHING: readonly ComparedProduct[] = [];
const comparison = createStore<ComparisonState>({ category: '', products: NOTHING });

const listCompared = (state: ComparisonState, category: string): readonly ComparedProduct[] =>
  state.category === category ? state.products : NOTHING;

const listCheckboxes = (): readonly HTMLInputElement[] => [
  ...document.querySelectorAll<HTMLInputElement>('input[name="products"]'),
];

/** Reads the checked boxes; selected products that are not on the page stay selected. */
function readBoxes(category: string, onPage: readonly ComparedProduct[]): void {
  const ticked = new Map(listCheckboxes().map(({ value, checked }) => [value, checked]));
  const before = listCompared(comparison.get(), category);
  const remaining = before.filter(({ slug }) => ticked.get(slug) ?? true);
  const added = onPage.filter(
    ({ slug }) => ticked.get(slug) === true && remaining.every((other) => other.slug !== slug),
  );
  // Nothing is selected here: keep the selection of another category.
  if (added.length === 0 && remaining.length === before.length) return;
  comparison.update({ category, products: [...remaining, ...added].slice(0, MAX_COMPARED) });
}

/** Checks the boxes of selected products and disables the others at the maximum. */
function writeBoxes(products: readonly ComparedProduct[]): void {
  for (const box of listCheckboxes()) {
    box.checked = products.some(({ slug }) => slug === box.value);
    box.disabled = !box.checked && products.length >= MAX_COMPARED;
  }
}

interface CompareBarProps {
  /** Slug of the category. */
  readonly category: string;
  readonly products: readonly ComparedProduct[];
}

/**
 * Bar with the selected products and a link to the comparison. Stays while the list is filtered or
 * left.
 */
export function CompareBar({ category, products: onPage }: CompareBarProps) {
  const products = comparison.use((state) => listCompared(state, category));
  useEffect(() => {
    const stored = listCompared(comparison.get(), category);
    // New boxes are unchecked, except those checked before hydration.
    for (const box of listCheckboxes()) box.checked ||= stored.some(({ slug }) => slug === box.value);
    const read = () => readBoxes(category, onPage);
    read();
    writeBoxes(listCompared(comparison.get(), category));
    document.addEventListener('change', read);
    return () => document.removeEventListener('change', read);
  }, [category, onPage]);
  useEffect(() => writeBoxes(products), [products]);

  if (products.length === 0) return null;
  const remove = (slug: string) => comparison.update({ products: products.filter((product) => product.slug !== slug) });
  return (
    <section aria-label="Comparison" className={styles.bar}>
      <output className={styles.count}>
        {products.length === 1 ? 'Select one more to compare' : `${products.length} of ${MAX_COMPARED} selected`}
      </output>
      <ul className={styles.chosen}>
        {products.map(({ slug, name }) => (
          <li key={slug}>
            {name}
            <button type="button" aria-label={`Remove ${name} from the comparison`} onClick={() => remove(slug)}>
              <Icon name="close" size={14} />
            </button>
          </li>
        ))}
      </ul>
      <div className={styles.actions}>
        <Button variant="quaternary" onClick={() => comparison.update({ products: NOTHING })}>
          Clear
        </Button>
        {products.length > 1 && (
          <ButtonLink to={formatCompareUrl(products.map(({ slug }) => slug))}>Compare</ButtonLink>
        )}
      </div>
    </section>
  );
}
