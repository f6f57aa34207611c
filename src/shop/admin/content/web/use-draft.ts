import { useEffect, useMemo, useRef, useState } from 'react';
import { useHydrated } from '#src/ui/use-hydrated.ts';

interface Draft<Value> {
  /** Of the stored text that was changed. */
  readonly version: number;
  readonly value: Value;
}

const PREFIX = 'admin_draft_';

function read<Value>(key: string): Draft<Value> | null {
  try {
    const stored = sessionStorage.getItem(PREFIX + key);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only this hook writes it, in this tab
    return stored === null ? null : (JSON.parse(stored) as Draft<Value>);
  } catch {
    return null;
  }
}

function write(key: string, draft: Draft<unknown> | null): void {
  try {
    if (draft === null) sessionStorage.removeItem(PREFIX + key);
    else sessionStorage.setItem(PREFIX + key, JSON.stringify(draft));
  } catch {
    // Without storage the browser's warning remains.
  }
}

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
  useEffect(() => {
    if (!isChanged) return undefined;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isChanged]);

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
