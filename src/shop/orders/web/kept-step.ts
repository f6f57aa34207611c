import { useSyncExternalStore } from 'react';
import { CART_STEP_KEY, readStored, writeStored } from '#src/web/browser-storage.ts';

const listeners = new Set<() => void>();

/** Keeps the step for the next visit; with an order it is 3. */
export function keepStep(step: 1 | 2 | 3): void {
  writeStored(CART_STEP_KEY, String(step));
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The step that was kept, as far as a cart goes: 2, or 1. The server knows none. */
export const useKeptStep = (): 1 | 2 =>
  useSyncExternalStore(
    subscribe,
    () => (readStored(CART_STEP_KEY) === '2' ? 2 : 1),
    () => 1,
  );
