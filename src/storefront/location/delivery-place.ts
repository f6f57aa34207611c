/** Where the visitor wants things delivered, as far as the browser was told: kept there, and offered in Billing. */
import { useSyncExternalStore } from 'react';
import { DELIVERY_KEY, readStored, writeStored } from '#src/ui/browser-storage.ts';

export interface DeliveryPlace {
  readonly region: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly name: string;
}

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Null: none was chosen, and the shop's own address stands. */
export function storeDeliveryPlace(place: DeliveryPlace | null): void {
  writeStored(DELIVERY_KEY, place && [place.region, place.country, place.name].join('|'));
  for (const listener of listeners) listener();
}

/** What was kept; null for nothing, or for nothing that can be read. */
function parseDeliveryPlace(kept: string | null): DeliveryPlace | null {
  const [region, country, name] = kept?.split('|') ?? [];
  return region && country && name ? { region, country, name } : null;
}

/** The place that was chosen, as text that `readDeliveryPlace` reads; null on the server and while hydrating. */
export const useDeliveryPlace = (): DeliveryPlace | null =>
  parseDeliveryPlace(
    useSyncExternalStore(
      subscribe,
      () => readStored(DELIVERY_KEY),
      () => null,
    ),
  );
