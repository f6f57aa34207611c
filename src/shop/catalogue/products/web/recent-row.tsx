import { useEffect, useState } from 'react';
import { logError } from '#src/ui/browser/log-error.ts';
import { toCardProduct } from '#src/storefront/products/to-card-product.ts';
import { ProductRow } from '#src/storefront/products/product-row.tsx';
import type { ProductCard } from '../../contract.ts';
import { parseRecentIds, readRecentText, rememberProduct } from './recent-ids.ts';

const TIMEOUT_MS = 15_000;

/** Loads card data without identifying the visitor: no token, cookies or referrer. */
async function fetchAnonymously(ids: string, leaving: AbortSignal): Promise<readonly ProductCard[]> {
  const response = await fetch(`/api/product-cards?ids=${ids}`, {
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    signal: AbortSignal.any([leaving, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  if (!response.ok) throw new Error(`status ${response.status}`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server responds by the same contract
  return (await response.json()) as readonly ProductCard[];
}

/** @param current product being viewed */
export function RecentRow({ current = null }: { readonly current?: string | null | undefined }) {
  const [products, setProducts] = useState<readonly ProductCard[]>([]);
  useEffect(() => {
    const ids = parseRecentIds(readRecentText(), current).join();
    if (current !== null) rememberProduct(current);
    const leaving = new AbortController();
    const load = async () => {
      try {
        setProducts(ids === '' ? [] : await fetchAnonymously(ids, leaving.signal));
      } catch (error) {
        if (!leaving.signal.aborted) logError('Loading recently viewed products failed', error);
      }
    };
    void load();
    return () => leaving.abort();
  }, [current]);
  return products.length === 0 ? null : <ProductRow title="Recently viewed" products={products.map(toCardProduct)} />;
}
