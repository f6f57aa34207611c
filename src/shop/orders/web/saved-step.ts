import { useEffect, useSyncExternalStore } from 'react';
import { NavigationType, useLocation, useNavigate, useNavigationType } from 'react-router';
import { CART_STEP_KEY, readStored, storeCartStep } from '#src/ui/browser/browser-storage.ts';

const listeners = new Set<() => void>();

/** Saves the step for the next visit; step 3 belongs to an order. */
export function saveStep(step: 1 | 2 | 3): void {
  storeCartStep(step);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const readSavedStep = (): 1 | 2 => (readStored(CART_STEP_KEY) === '2' ? 2 : 1);

/** The step in a request's cookie: 1 or 2. */
export function stepOfRequest(request: Request): 1 | 2 {
  const cookies = (request.headers.get('cookie') ?? '').split(/;\s*/);
  return cookies.includes(`${CART_STEP_KEY}=2`) ? 2 : 1;
}

/** Marks the history entry of step 2, so that the Back button leads to step 1. */
const BILLING_ENTRY = { cartStep: 2 } as const;

const isBillingEntry = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'cartStep' in state && state.cartStep === BILLING_ENTRY.cartStep;

/** Key of the history entry shown last in this document. */
let shownKey: string | null = null;

interface SavedStep {
  readonly step: 1 | 2;
  readonly goBack: () => void;
}

/**
 * The saved step of a cart: 1 or 2.
 * @param onServer the step that the server rendered
 * @param isPossible whether step 2 can be shown: the cart has lines and the visitor is signed in
 */
export function useSavedStep(onServer: 1 | 2, isPossible: boolean): SavedStep {
  const navigate = useNavigate();
  const location = useLocation();
  const isPop = useNavigationType() === NavigationType.Pop;
  const saved = useSyncExternalStore(subscribe, readSavedStep, () => onServer);
  const { key } = location;
  const isBilling = isBillingEntry(location.state);

  useEffect(() => {
    const isFirst = shownKey === null;
    const isNew = shownKey !== key;
    shownKey = key;
    if (!isPossible) return;
    if (isPop && isNew && !isFirst) saveStep(isBilling ? 2 : 1);
    else if (saved === 2 && !isBilling) void navigate('/cart', { state: BILLING_ENTRY });
  }, [key, isPop, isBilling, isPossible, saved, navigate]);

  return { step: saved, goBack: () => (isBilling ? void navigate(-1) : saveStep(1)) };
}
