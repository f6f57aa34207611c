import { useState } from 'react';
import type { Cart } from '#src/shop/cart/contract.ts';
import { isRefusal } from '#src/storefront/api.ts';
import { call } from '#src/storefront/call.ts';
import { useFound } from '../../kit/use-found.ts';

export interface PreviewRequest {
  readonly customer_id?: string;
  readonly lines: readonly {
    readonly product_id: string;
    readonly property_value_ids: readonly string[];
    readonly quantity: number;
  }[];
  readonly promo_code?: string;
  readonly country?: string;
  readonly vat_number?: string;
}

type Preview = { readonly cart: Cart } | { readonly problem: string };

interface OrderPreview {
  /** The newest one, which may be outdated; null before the first. */
  readonly cart: Cart | null;
  /** Why there is none; null if there is. */
  readonly problem: string | null;
  /** Whether it does not belong to the request any more. */
  readonly isStale: boolean;
}

/** What the draft of an order costs, loaded after each change; null loads nothing. */
export function useOrderPreview(request: PreviewRequest | null): OrderPreview {
  const [last, setLast] = useState<Cart | null>(null);
  const { result, hasFailed } = useFound<Preview>(
    request === null ? '' : JSON.stringify(request),
    async (_, signal) => {
      if (request === null) return { problem: '' };
      const body = {
        ...request,
        lines: request.lines.map((line) => ({ ...line, property_value_ids: [...line.property_value_ids] })),
      };
      try {
        const cart = await call('POST /support/orders/preview', { body }, { signal });
        setLast(cart);
        return { cart };
      } catch (error) {
        if (isRefusal(error)) return { problem: error.message };
        throw error;
      }
    },
  );
  if (request === null) return { cart: null, problem: null, isStale: false };
  if (hasFailed)
    return { cart: last, problem: 'The totals could not be loaded. Check your connection.', isStale: true };
  if (result === null) return { cart: last, problem: null, isStale: true };
  return 'cart' in result
    ? { cart: result.cart, problem: null, isStale: false }
    : { cart: null, problem: result.problem, isStale: true };
}
