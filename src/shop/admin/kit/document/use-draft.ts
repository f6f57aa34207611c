import { useMemo, useRef, useState } from 'react';
import { readOfTab, writeOfTab } from '#src/ui/browser/tab-storage.ts';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import { useLeaveWarning } from '#src/ui/page/use-leave-warning.ts';

/** Unsaved changes of a document. */
export interface Draft<Value> {
  /** Of the document that was changed. */
  readonly version: number | null;
  /** The value that the changes began with. */
  readonly base: Value;
  readonly value: Value;
}

const PREFIX = 'document_draft_';

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only this hook writes it, in this tab
const read = <Value>(key: string): Draft<Value> | null => readOfTab(PREFIX + key) as Draft<Value> | null;

const isFields = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Fields that a release added after the draft was written have their stored values. */
function complete<Value>(draft: Draft<Value> | null, stored: Value): Draft<Value> | null {
  if (draft === null || !isFields(stored)) return draft;
  return { ...draft, base: { ...stored, ...draft.base }, value: { ...stored, ...draft.value } };
}

/** Unsaved changes, which stay in this tab until they are saved or discarded. The browser warns before it closes the tab. */
export function useDraft<Value>(key: string, stored: Value) {
  const isHydrated = useHydrated();
  const kept = useMemo(() => (isHydrated ? read<Value>(key) : null), [isHydrated, key]);
  /** Undefined before the first change. */
  const [written, setWritten] = useState<Draft<Value> | null | undefined>();
  const [isRestored, setIsRestored] = useState(true);
  const draft = written === undefined ? complete(kept, stored) : written;
  useLeaveWarning(draft !== null);
  /** Of the last change, which may not be rendered yet. */
  const latest = useRef<Draft<Value> | null | undefined>(undefined);
  const write = (next: Draft<Value> | null): void => {
    latest.current = next;
    setWritten(next);
    if (next === null) setIsRestored(false);
    writeOfTab(PREFIX + key, next);
  };
  return {
    draft,
    /** Whether the changes were made before the page was opened. */
    isRestored: draft !== null && kept !== null && isRestored,
    readLatest: (): Draft<Value> | null => (latest.current === undefined ? draft : latest.current),
    write,
  };
}
