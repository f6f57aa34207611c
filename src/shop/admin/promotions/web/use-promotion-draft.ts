import { useEffect, useState } from 'react';
import { useHydrated } from '#src/ui/use-hydrated.ts';
import { EMPTY_FORM } from '../promotion-form.ts';
import type { PromotionForm } from '../promotion-form.ts';

/** A form with unsaved changes. */
export interface PromotionDraft {
  /** Of the promotion that was changed; null for a new one. */
  readonly version: number | null;
  readonly form: PromotionForm;
}

const PREFIX = 'promotion_draft_';

function readDraft(key: string): PromotionDraft | null {
  try {
    const stored = sessionStorage.getItem(PREFIX + key);
    if (stored === null) return null;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `writeDraft` writes it, in this tab
    const { version, form } = JSON.parse(stored) as PromotionDraft;
    return { version, form: { ...EMPTY_FORM, ...form } };
  } catch {
    return null;
  }
}

/** Null removes the draft. */
function writeDraft(key: string, draft: PromotionDraft | null): void {
  try {
    if (draft === null) sessionStorage.removeItem(PREFIX + key);
    else sessionStorage.setItem(PREFIX + key, JSON.stringify(draft));
  } catch {
    // Storage is full or blocked: the browser's warning remains.
  }
}

/** Asks before the tab is closed while there are unsaved changes. */
function useLeaveWarning(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return undefined;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isDirty]);
}

/** The unsaved changes of a form, kept in this tab until they are saved or discarded. */
export function usePromotionDraft(key: string) {
  const isHydrated = useHydrated();
  // Undefined until the first change: then what the tab has kept counts.
  const [changed, setChanged] = useState<PromotionDraft | null | undefined>(undefined);
  const kept = changed === undefined && isHydrated ? readDraft(key) : null;
  const draft = changed === undefined ? kept : changed;
  useLeaveWarning(draft !== null);
  const setDraft = (next: PromotionDraft | null): void => {
    setChanged(next);
    writeDraft(key, next);
  };
  return { draft, isRestored: kept !== null, setDraft };
}
