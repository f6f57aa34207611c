import { useEffect, useMemo, useRef, useState } from 'react';
import { readOfTab, writeOfTab } from '#src/ui/tab-storage.ts';
import { useHydrated } from '#src/ui/use-hydrated.ts';
import { useLeaveWarning } from '#src/ui/use-leave-warning.ts';

interface Draft<Value> {
  /** Of the stored text that was changed. */
  readonly version: number;
  readonly value: Value;
}

const PREFIX = 'admin_draft_';

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only this hook writes it, in this tab
const read = <Value>(key: string): Draft<Value> | null => readOfTab(PREFIX + key) as Draft<Value> | null;
const write = (key: string, draft: Draft<unknown> | null): void => writeOfTab(PREFIX + key, draft);

/**
 * Unsaved changes of a form. They stay in this tab until they are saved or discarded, and the
 * browser warns before it closes the tab.
 * @param saved the stored value with its version
 */
export function useDraft<Value>(key: string, saved: Draft<Value>) {
  const isHydrated = useHydrated();
  const stored = useMemo(() => (isHydrated ? read<Value>(key) : null), [isHydrated, key]);
  /** Undefined before the first change. */
  const [changed, setChanged] = useState<Draft<Value> | null | undefined>();
  const [isDiscarded, setIsDiscarded] = useState(false);
  const draft = changed === undefined ? stored : changed;

  const isChanged = draft !== null;
  useLeaveWarning(isChanged);

  const change = (value: Value): void => {
    const isSame = JSON.stringify(value) === JSON.stringify(saved.value);
    const next = isSame ? null : { version: draft?.version ?? saved.version, value };
    setChanged(next);
    write(key, next);
  };
  const discard = (): void => {
    setChanged(null);
    setIsDiscarded(true);
    write(key, null);
  };
  const latest = useRef({ draft, saved });
  useEffect(() => {
    latest.current = { draft, saved };
  });
  /**
   * Call it after `value` was saved. Discards the changes, unless there are others since: those stay.
   * @param version of what was saved, if the caller does not pass that as `saved` yet
   * @returns whether nothing is left to save
   */
  const discardSaved = (version?: number): boolean => {
    const { draft: current, saved: newest } = latest.current;
    if (current === null || JSON.stringify(current.value) === JSON.stringify(draft?.value)) {
      discard();
      return true;
    }
    const next = { version: version ?? newest.version, value: current.value };
    setChanged(next);
    write(key, next);
    return false;
  };
  const isRestored = stored !== null && isChanged && !isDiscarded;
  return { ...(draft ?? saved), isChanged, isRestored, change, discard, discardSaved };
}
