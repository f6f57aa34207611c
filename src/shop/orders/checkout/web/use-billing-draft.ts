import { useSyncExternalStore } from 'react';
import { onClearUserData } from '#src/storefront/session/session.ts';
import { BILLING_DRAFT_KEY, readStored, writeStored } from '#src/ui/browser/browser-storage.ts';
import { readTyped } from './billing-draft.ts';
import type { Draft } from './billing-draft.ts';

type Typed = Partial<Draft>;

const NOTHING: Typed = {};
const listeners = new Set<() => void>();
let known: { readonly text: string | null; readonly typed: Typed } = { text: null, typed: NOTHING };

function readTypedNow(): Typed {
  const text = readStored(BILLING_DRAFT_KEY) ?? lastText;
  if (text !== known.text) known = { text, typed: text === null ? NOTHING : readTyped(text) };
  return known.typed;
}

/** Fallback if browser storage is full or blocked. */
let lastText: string | null = null;

function store(text: string | null): void {
  lastText = text;
  writeStored(BILLING_DRAFT_KEY, text);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

interface BillingDraft {
  /** Only the fields that the buyer changed. */
  readonly typed: Typed;
  readonly change: (fields: Typed) => void;
}

/** BILL-05: the billing form, saved in this browser until the order is placed. */
export function useBillingDraft(): BillingDraft {
  const typed = useSyncExternalStore(subscribe, readTypedNow, () => NOTHING);
  return { typed, change: (fields) => store(JSON.stringify({ ...readTypedNow(), ...fields })) };
}

export const clearBillingDraft = (): void => store(null);

onClearUserData(clearBillingDraft);
