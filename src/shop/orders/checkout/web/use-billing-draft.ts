import { useSyncExternalStore } from 'react';
import { onForgetTyped, session, useSession } from '#src/storefront/session/session.ts';
import { ACCOUNT_KEY, BILLING_DRAFT_KEY, readStored, writeStored } from '#src/ui/browser/browser-storage.ts';
import { readAuthor, readTyped } from './billing-draft.ts';
import type { Draft } from './billing-draft.ts';

type Typed = Partial<Draft>;

interface StoredDraft {
  /** Id of the account; null in a draft of an older release. */
  readonly author: string | null;
  readonly typed: Typed;
}

const NOTHING: StoredDraft = { author: null, typed: {} };
const listeners = new Set<() => void>();
let known: { readonly text: string | null; readonly draft: StoredDraft } = { text: null, draft: NOTHING };

function readDraft(): StoredDraft {
  const text = readStored(BILLING_DRAFT_KEY) ?? lastText;
  if (text !== known.text)
    known = { text, draft: text === null ? NOTHING : { author: readAuthor(text), typed: readTyped(text) } };
  return known.draft;
}

/** Of this tab: if browser storage is full or blocked, or the account logged out in another tab. */
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

const readAccount = (): string => session.get().user?.id ?? readStored(ACCOUNT_KEY) ?? '';

/** Another account may have logged in without scripts, or in this tab after a logout in another one. */
const readOwn = ({ author, typed }: StoredDraft): Typed =>
  author === null || author === readAccount() ? typed : NOTHING.typed;

interface BillingDraft {
  /** Only the fields that the buyer changed. */
  readonly typed: Typed;
  readonly change: (fields: Typed) => void;
}

/** BILL-05: the billing form, saved in this browser for its account until the order is placed. */
export function useBillingDraft(): BillingDraft {
  useSession(({ user }) => user);
  const draft = useSyncExternalStore(subscribe, readDraft, () => NOTHING);
  return {
    typed: readOwn(draft),
    change: (fields) => store(JSON.stringify({ author: readAccount(), ...readOwn(readDraft()), ...fields })),
  };
}

export const clearBillingDraft = (): void => store(null);

onForgetTyped(clearBillingDraft);
