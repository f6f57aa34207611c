import { useState } from 'react';
import { readOfTab, writeOfTab } from '#src/ui/tab-storage.ts';
import { useHydrated } from '#src/ui/use-hydrated.ts';
import { useLeaveWarning } from '#src/ui/use-leave-warning.ts';
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
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `usePromotionDraft` writes it, in this tab
  const stored = readOfTab(PREFIX + key) as PromotionDraft | null;
  return stored && { version: stored.version, form: { ...EMPTY_FORM, ...stored.form } };
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
    writeOfTab(PREFIX + key, next);
  };
  return { draft, isRestored: kept !== null, setDraft };
}
