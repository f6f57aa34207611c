import { useEffect, useRef, useState } from 'react';
import type { PromotionFields } from '#src/shop/promotions/editing/contract.ts';
import { isRefusal } from '#src/storefront/api.ts';
import { call } from '#src/storefront/call.ts';
import { logError } from '#src/ui/browser/log-error.ts';
import { useEventCallback } from '#src/ui/react/use-event-callback.ts';
import { describeFailure } from '#src/storefront/forms/describe-failure.ts';
import type { PromotionPreview } from '#src/shop/cart/promotion-preview/contract.ts';
import type { FoundProduct } from './product-search.tsx';

const TYPING_PAUSE_MS = 300;

export interface SampleLine {
  readonly product: FoundProduct;
  readonly quantity: number;
}

/** A loaded preview, or why there is none. */
export interface LoadedPreview {
  readonly key: string;
  readonly preview: PromotionPreview | null;
  readonly problem: string;
}

export const isInFuture = (at: string | null): at is string => at !== null && Date.parse(at) > Date.now();

/** A scheduled promotion is previewed at its start, and a disabled one as if it were enabled. */
const toRequest = (fields: PromotionFields, lines: readonly SampleLine[]) => ({
  promotion: { ...fields, is_active: true },
  at: isInFuture(fields.starts_at) ? fields.starts_at : null,
  lines: lines.map(({ product, quantity }) => ({ product_id: product.id, quantity })),
});
type PreviewRequest = ReturnType<typeof toRequest>;

/** Null if it was aborted. */
async function load(key: string, body: PreviewRequest, signal: AbortSignal): Promise<LoadedPreview | null> {
  try {
    return { key, preview: await call('POST /support/promotions/preview', { body }, { signal }), problem: '' };
  } catch (error) {
    if (signal.aborted) return null;
    if (isRefusal(error)) return { key, preview: null, problem: Object.values(error.fields)[0] ?? error.message };
    logError('The preview failed', error);
    return { key, preview: null, problem: describeFailure(error) };
  }
}

/** Loads the preview of a sample cart after each change; null fields load nothing. */
export function usePreview(fields: PromotionFields | null, lines: readonly SampleLine[]) {
  const [loaded, setLoaded] = useState<LoadedPreview | null>(null);
  const running = useRef<AbortController | null>(null);
  const key = fields === null ? null : JSON.stringify(toRequest(fields, lines));
  const loadCurrent = useEventCallback(() => {
    if (fields === null || key === null) return;
    running.current?.abort();
    const abort = new AbortController();
    running.current = abort;
    const show = async () => {
      const next = await load(key, toRequest(fields, lines), abort.signal);
      if (next !== null) setLoaded(next);
    };
    void show();
  });

  useEffect(() => {
    if (key === null) return undefined;
    const timer = setTimeout(loadCurrent, TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [key, loadCurrent]);
  useEffect(() => () => running.current?.abort(), []);

  return { loaded, isStale: loaded?.key !== key, retry: loadCurrent };
}
