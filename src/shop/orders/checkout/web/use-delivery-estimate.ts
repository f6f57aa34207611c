import { useEffect, useRef } from 'react';
import type { CartDelivery } from '#src/shop/cart/contract.ts';
import { call } from '#src/storefront/call.ts';
import { sendCartChange } from '#src/storefront/cart/cart.ts';
import { session } from '#src/storefront/session/session.ts';
import { logError } from '#src/ui/browser/log-error.ts';

/**
 * Computes shipping and tax of the cart for the country and VAT number of the form. Does nothing in
 * a shop with free shipping and no tax.
 * @param country null until a valid one is chosen
 */
export function useDeliveryEstimate(delivery: CartDelivery | null, country: string | null, vatNumber: string): void {
  const sent = useRef<string | null>(null);
  const isNeeded = delivery !== null;
  const known = delivery?.country ?? null;
  useEffect(() => {
    const wanted = `${country} ${vatNumber}`;
    // The cart keeps its country, and its VAT number until the form has another one.
    if (!isNeeded || wanted === sent.current || (sent.current === null && country === known && vatNumber === ''))
      return;
    sent.current = wanted;
    const body = { ...(country !== null && { country }), ...(vatNumber !== '' && { vat_number: vatNumber }) };
    session.update({ isCartLoading: true });
    sendCartChange(() => call('PUT /cart/delivery', { body }))
      .catch((error: unknown) => {
        // The next change of the form sends it again; an order is refused with both totals.
        sent.current = null;
        logError('shipping was not computed', error);
      })
      .finally(() => session.update({ isCartLoading: false }));
  }, [country, isNeeded, known, vatNumber]);
}
