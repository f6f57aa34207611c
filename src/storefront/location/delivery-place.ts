/** The delivery place that the visitor chose: stored in the browser and prefilled in Billing. */
import { useSyncExternalStore } from 'react';
import { DELIVERY_KEY, readStored, writeStored } from '#src/ui/browser/browser-storage.ts';

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

/** Null: none was chosen, and the shop's own address is shown. */
export function storeDeliveryPlace(place: DeliveryPlace | null): void {
  writeStored(DELIVERY_KEY, place && [place.region, place.country, place.name].join('|'));
  for (const listener of listeners) listener();
}

/** Null if nothing valid is stored. */
function parseDeliveryPlace(stored: string | null): DeliveryPlace | null {
  const [region, country, name] = stored?.split('|') ?? [];
  return region && country && name ? { region, country, name } : null;
}

/** The chosen delivery country; null on the server and during hydration. */
export const useDeliveryPlace = (): DeliveryPlace | null =>
  parseDeliveryPlace(
    useSyncExternalStore(
      subscribe,
      () => readStored(DELIVERY_KEY),
      () => null,
    ),
  );
