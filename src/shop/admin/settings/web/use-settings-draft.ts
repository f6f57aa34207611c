import { useEffect, useState } from 'react';
import { useHydrated } from '#src/ui/use-hydrated.ts';
import type { FieldValues } from './settings-sections.ts';

const PREFIX = 'settings_draft_';
const NO_EDITS: FieldValues = {};

/** Changed fields that are not saved yet. They survive a reload and other pages, until the tab is closed. */
export function useSettingsDraft(section: string): readonly [FieldValues, (edits: FieldValues) => void] {
  const isHydrated = useHydrated();
  const [edits, setEdits] = useState<FieldValues | null>(null);
  const change = (next: FieldValues): void => {
    setEdits(next);
    writeDraft(section, next);
  };
  return [edits ?? (isHydrated ? readDraft(section) : NO_EDITS), change];
}

/** Asks before the tab is closed while there are unsaved changes. */
export function useLeaveWarning(hasChanges: boolean): void {
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent): void => {
      if (hasChanges) event.preventDefault();
    };
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [hasChanges]);
}

function readDraft(section: string): FieldValues {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(PREFIX + section) ?? '{}');
    if (typeof stored !== 'object' || stored === null) return {};
    return Object.fromEntries(
      Object.entries(stored).filter(
        (entry): entry is [string, string | boolean] => typeof entry[1] === 'string' || typeof entry[1] === 'boolean',
      ),
    );
  } catch {
    return {};
  }
}

function writeDraft(section: string, edits: FieldValues): void {
  try {
    if (Object.keys(edits).length === 0) sessionStorage.removeItem(PREFIX + section);
    else sessionStorage.setItem(PREFIX + section, JSON.stringify(edits));
  } catch {
    // Storage is full or blocked: the current page still works.
  }
}
