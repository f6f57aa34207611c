import { useState } from 'react';
import { readOfTab, writeOfTab } from '#src/ui/tab-storage.ts';
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

function readDraft(section: string): FieldValues {
  const stored = readOfTab(PREFIX + section);
  if (typeof stored !== 'object' || stored === null) return {};
  return Object.fromEntries(
    Object.entries(stored).filter(
      (entry): entry is [string, string | boolean] => typeof entry[1] === 'string' || typeof entry[1] === 'boolean',
    ),
  );
}

const writeDraft = (section: string, edits: FieldValues): void =>
  writeOfTab(PREFIX + section, Object.keys(edits).length === 0 ? null : edits);
