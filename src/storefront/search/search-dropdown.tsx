import type { KeyboardEvent, ReactNode, Ref } from 'react';
import { useEffect, useId, useImperativeHandle, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { call } from '../call.ts';
import { logError } from '#src/ui/browser/log-error.ts';
import { Picture } from '#src/ui/graphics/picture.tsx';
import { ProductPrice } from '../products/product-price.tsx';
import { formatCardPath } from '../products/card-product.ts';
import { toCardProduct } from '../products/to-card-product.ts';
import type { CardProduct } from '../products/card-product.ts';
import styles from './search-dropdown.module.css';
import { Unbroken } from '#src/ui/text/unbroken.tsx';

const MAX_RESULTS = '24';
const MAX_SUGGESTIONS = 6;
/** The pause in typing before a request. */
const DEBOUNCE_MS = 120;

/** State of the result list that the input needs. */
export interface Popup {
  readonly isOpen: boolean;
  /** Id of the active option. */
  readonly activeId: string | undefined;
}

export interface DropdownKeys {
  /** Handles a key pressed in the input. */
  press(event: KeyboardEvent<HTMLInputElement>): void;
}

const NO_SELECTION = { at: -1, among: null };

interface SearchDropdownProps {
  readonly ref: Ref<DropdownKeys>;
  /** Trimmed; empty while the list is closed. */
  readonly text: string;
  readonly listId: string;
  readonly onPopup: (popup: Popup) => void;
  /** Called when a result is chosen. */
  readonly onDone: () => void;
}

/** Products that match the typed text, or suggestions if none does. The focus stays in the input. */
export function SearchDropdown({ ref, text, listId, onPopup, onDone }: SearchDropdownProps) {
  const { products: finds, suggested, isStale, hasFailed } = useSearchResults(text);
  const [arrow, setArrow] = useState<{ readonly at: number; readonly among: readonly CardProduct[] | null }>(
    NO_SELECTION,
  );
  const [dismissed, setDismissed] = useState('');
  const navigate = useNavigate();
  const idStem = useId();
  const list = useRef<HTMLDivElement>(null);
  // Any change of the text opens the list again.
  if (dismissed !== '' && dismissed !== text) setDismissed('');
  const isOpen = text !== '' && dismissed !== text && (finds !== null || hasFailed);
  const products = isOpen && finds ? finds : [];
  const hasFinds = products.length > 0 && suggested === null;
  const formatOptionId = (index: number): string => `${idStem}${index}`;
  // New results reset the active option.
  const active = arrow.among === finds ? arrow.at : -1;
  const activeId = active >= 0 && active < products.length ? formatOptionId(active) : undefined;

  useEffect(() => onPopup({ isOpen: products.length > 0, activeId }), [onPopup, products.length, activeId]);
  useEffect(() => {
    if (activeId !== undefined) list.current?.querySelector(`[id="${activeId}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);

  const move = (step: number): void => {
    setDismissed('');
    // One position more than results: the input itself.
    const places = (finds?.length ?? 0) + 1;
    setArrow({ at: ((active + 1 + step + places) % places) - 1, among: finds });
  };
  useImperativeHandle(ref, () => ({
    press: (event) => {
      const chosen = products[active];
      if (event.key === 'ArrowDown') move(1);
      else if (event.key === 'ArrowUp') move(-1);
      else if (event.key === 'Escape' && isOpen) {
        setDismissed(text);
        setArrow(NO_SELECTION);
      } else if (event.key === 'Enter' && chosen && !event.nativeEvent.isComposing) {
        onDone();
        event.currentTarget.blur();
        void navigate(formatCardPath(chosen));
      } else return;
      event.preventDefault();
    },
  }));

  return (
    <>
      <output className="visually-hidden">
        {hasFinds && !isStale && `${products.length} products found. Choose with the arrow keys`}
      </output>
      {isOpen && (
        <div className={styles.popup}>
          {!hasFinds && <output className={styles.nothing}>{formatEmptyMessage(hasFailed)}</output>}
          {products.length > 0 && (
            <div
              ref={list}
              id={listId}
              // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the list of a combobox, with pictures
              role="listbox"
              aria-label={hasFinds ? 'Products' : 'Suggestions'}
              data-stale={isStale || undefined}
              className={styles.list}
            >
              <Options
                products={products}
                suggested={suggested}
                active={active}
                formatOptionId={formatOptionId}
                onDone={onDone}
              />
            </div>
          )}
          {hasFinds && (
            <button type="submit" className={styles.all}>
              Show all results
            </button>
          )}
        </div>
      )}
    </>
  );
}

const formatEmptyMessage = (hasFailed: boolean): string => (hasFailed ? 'Search is unavailable' : 'No products found');

interface OptionsProps {
  readonly products: readonly CardProduct[];
  readonly suggested: number | null;
  /** Index of the active option. */
  readonly active: number;
  readonly formatOptionId: (index: number) => string;
  readonly onDone: () => void;
}

function Options({ products, suggested, active, formatOptionId, onDone }: OptionsProps) {
  return splitIntoSections(products, suggested).map(({ title, from, items }) => (
    <Section key={title} title={title}>
      {items.map((product, index) => (
        <Link
          key={product.id}
          id={formatOptionId(from + index)}
          to={formatCardPath(product)}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- it is a link as well
          role="option"
          aria-selected={from + index === active}
          tabIndex={-1}
          className={styles.find}
          onClick={onDone}
        >
          <ResultOption product={product} />
        </Link>
      ))}
    </Section>
  ));
}

interface ResultSection {
  /** Empty for the results of the search itself. */
  readonly title: string;
  /** Index of its first product in the whole list. */
  readonly from: number;
  readonly items: readonly CardProduct[];
}

function splitIntoSections(products: readonly CardProduct[], nearest: number | null): readonly ResultSection[] {
  if (nearest === null) return [{ title: '', from: 0, items: products }];
  return [
    { title: 'Closest matches', from: 0, items: products.slice(0, nearest) },
    { title: 'Popular products', from: nearest, items: products.slice(nearest) },
  ].filter(({ items }) => items.length > 0);
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  if (title === '') return children;
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a group of options
    <div role="group" aria-label={title}>
      <p role="presentation" className={styles.title}>
        {title}
      </p>
      {children}
    </div>
  );
}

function ResultOption({ product }: { readonly product: CardProduct }) {
  return (
    <>
      <Picture path={product.main_image} alt="" sizes="56px" width={56} height={56} className={styles.picture} />
      <span className={styles.text}>
        <span className={styles.name}>
          <Unbroken text={product.name} />
        </span>
        <span className={styles.line}>{product.variant?.name || product.sub_description}</span>
      </span>
      <span className={styles.price}>
        {/* An option is one link, which leads to the label on the page of the product. */}
        <ProductPrice product={{ ...product, energy_class: undefined }} />
        {product.energy_class && (
          <img
            src={`/energy-arrow/${product.energy_class}.svg`}
            alt={`Energy class ${product.energy_class}`}
            width={68}
            height={36}
            loading="lazy"
          />
        )}
      </span>
    </>
  );
}

interface SearchResults {
  /** Null before the first response. */
  readonly products: readonly CardProduct[] | null;
  /** How many suggestions are close matches; the rest are popular. Null if the search has results. */
  readonly suggested: number | null;
  /** They belong to an earlier text. */
  readonly isStale: boolean;
  readonly hasFailed: boolean;
}

interface SearchResponse {
  readonly text: string;
  /** Null when the call failed. */
  readonly products: readonly CardProduct[] | null;
  readonly suggested: number | null;
}
const NO_RESULTS: SearchResponse = { text: '', products: null, suggested: null };

/** Results for the text, or suggestions if there are none. */
async function searchProducts(text: string, signal: AbortSignal): Promise<SearchResponse> {
  const finds = await call('GET /products', { query: { q: text, limit: MAX_RESULTS } }, { signal });
  if (finds.length > 0) return { text, products: finds.map(toCardProduct), suggested: null };
  const { nearest, popular } = await call('GET /search/suggestions', { query: { q: text } }, { signal });
  return {
    text,
    products: [...nearest, ...popular].slice(0, MAX_SUGGESTIONS).map(toCardProduct),
    suggested: nearest.length,
  };
}

/** Searches after a pause in typing. A new text aborts the request before it, so no late response is shown. */
function useSearchResults(text: string): SearchResults {
  const [response, setResponse] = useState<SearchResponse>(NO_RESULTS);
  if (text === '' && response !== NO_RESULTS) setResponse(NO_RESULTS);
  useEffect(() => {
    if (text === '') return undefined;
    const given = new AbortController();
    const { signal } = given;
    const loadResults = async () => {
      try {
        const results = await searchProducts(text, signal);
        if (!signal.aborted) setResponse(results);
      } catch (error) {
        if (signal.aborted) return;
        logError('the search', error);
        setResponse({ text, products: null, suggested: null });
      }
    };
    const timer = setTimeout(() => void loadResults(), DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      given.abort();
    };
  }, [text]);
  const isStale = response.text !== text;
  return {
    products: response.products,
    suggested: response.suggested,
    isStale,
    hasFailed: text !== '' && !isStale && response.products === null,
  };
}
