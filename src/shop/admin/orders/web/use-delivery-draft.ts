import { useRef, useState } from 'react';
import { followChange } from '#src/shop/orders/checkout/web/billing-draft.ts';
import type { DeliveryCountries, Draft } from '#src/shop/orders/checkout/web/billing-draft.ts';
import type { Billing } from '#src/shop/orders/contract.ts';
import { call } from '#src/storefront/call.ts';
import { logError } from '#src/ui/browser/log-error.ts';
import { startDelivery } from './start-delivery.ts';

export interface DeliveryDefaults {
  /** Code of the country of the shop; empty if not set. */
  readonly home: string;
  readonly delivered: DeliveryCountries;
  /** Of the customer with whom the page begins; null if they ordered nothing yet. */
  readonly last: Billing | null;
}

const listNames = (fields: object): readonly string[] =>
  Object.entries(fields).flatMap(([name, text]) => (text === '' ? [] : [name]));

/** The delivery details of a new order: those of the customer's last one, until staff change them. */
export function useDeliveryDraft(defaults: DeliveryDefaults) {
  const [delivery, setDelivery] = useState(() => startDelivery({}, defaults.last, defaults));
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set());
  const [hasFailed, setHasFailed] = useState(false);
  const running = useRef<AbortController | null>(null);
  const { start, typed, hasLastAddress } = delivery;
  const draft: Draft = { ...start, ...typed };

  const startWith = (last: Billing | null): void =>
    setDelivery((before) => startDelivery(before.typed, last, defaults));
  const load = async (id: string, signal: AbortSignal): Promise<void> => {
    try {
      const { billing } = await call('GET /support/customers/{id}/billing', { params: { id } }, { signal });
      if (!signal.aborted) startWith(billing);
    } catch (error) {
      if (signal.aborted) return;
      logError('the details of the last order were not loaded', error);
      setHasFailed(true);
    }
  };
  return {
    draft,
    /** Names of the fields that show their errors. */
    touched: new Set([...changed, ...(hasLastAddress ? listNames(start) : [])]),
    hasLastAddress,
    hasFailed,
    change: (name: keyof Draft, value: string): void => {
      setChanged((names) => new Set(names).add(name));
      setDelivery((before) => {
        const change = followChange({ ...before.start, ...before.typed }, name, value);
        return { ...before, typed: { ...before.typed, ...change } };
      });
    },
    /**
     * @param id of an account; null: nobody, or a new customer
     * @param wasKnown whether an account was chosen before: its details, also those that were typed, must not stay
     */
    changeCustomer: (id: string | null, wasKnown: boolean): void => {
      running.current?.abort();
      setHasFailed(false);
      setDelivery((before) => startDelivery(wasKnown ? {} : before.typed, null, defaults));
      if (wasKnown) setChanged(new Set());
      if (id === null) return;
      running.current = new AbortController();
      void load(id, running.current.signal);
    },
  };
}
