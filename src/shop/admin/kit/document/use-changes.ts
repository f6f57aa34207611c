import { useEffect, useRef, useState } from 'react';
import type { Conflict } from '#src/storefront/api.ts';
import { useEventCallback } from '#src/ui/react/use-event-callback.ts';
import { isSame, mergeChanges } from './merge-changes.ts';
import { useDraft } from './use-draft.ts';
import type { Draft } from './use-draft.ts';

/** A document as it is saved. */
export interface StoredDocument<Value, Version extends number | null = number> {
  /** 0: never saved. Null: of a document without versions, whose value is compared instead. */
  readonly version: Version;
  readonly value: Value;
}

/** A save that was refused because of a change of somebody else. */
interface RefusedSave {
  readonly known: Conflict | null;
  /** That was loaded then. */
  readonly version: number | null;
}

/** What is saved: as loaded, or as the last save returned it, if another process answered the load too early. */
function useStored<Value, Version extends number | null>(loaded: StoredDocument<Value, Version>) {
  const [saved, setSaved] = useState<{ stored: typeof loaded; over: Value } | null>(null);
  const isNewer =
    saved !== null &&
    (saved.stored.version === null || loaded.version === null
      ? isSame(saved.over, loaded.value)
      : saved.stored.version > loaded.version);
  const adopt = (stored: typeof loaded): void => setSaved({ stored, over: loaded.value });
  return [isNewer ? saved.stored : loaded, adopt] as const;
}

function isOutdated<Value>(draft: Draft<Value>, stored: StoredDocument<Value, number | null>): boolean {
  if (draft.version === null || stored.version === null) return !isSame(draft.base, stored.value);
  return stored.version > draft.version;
}

/** What is saved of a document, what is not saved yet, and whether somebody else changed it meanwhile. */
export function useChanges<Value, Version extends number | null>(name: string, loaded: StoredDocument<Value, Version>) {
  const [stored, adopt] = useStored(loaded);
  const { draft: written, isRestored, readLatest, write } = useDraft(name, stored.value);
  const [refused, refuse] = useState<RefusedSave | null>(null);

  /** A save will change what is stored: what was typed back to that meanwhile is a change then. */
  const isSending = useRef(false);

  /** A newer version with the same fields is no conflict, unless the shop said so. */
  const rebase = (draft: Draft<Value>): Draft<Value> =>
    refused === null && isOutdated(draft, stored) && isSame(draft.base, stored.value)
      ? { ...draft, version: stored.version }
      : draft;
  const begin = (): Draft<Value> =>
    rebase(readLatest() ?? { version: stored.version, base: stored.value, value: stored.value });
  const moveTo = (next: typeof stored, base: Value, value: Value): void =>
    write({ version: next.version, base: next.value, value: mergeChanges(base, value, next.value) });

  const change = (value: Value): void => {
    const { version, base } = begin();
    if (readLatest() === null) refuse(null);
    const isUnchanged = isSame(value, base) || isSame(value, stored.value);
    write(isUnchanged && !isSending.current ? null : { version, base, value });
  };
  const discard = (): void => {
    refuse(null);
    write(null);
  };
  /** After a save. What was typed meanwhile is a change of what is saved now. */
  const settle = (sent: Value, next: typeof stored): void => {
    const current = readLatest();
    adopt(next);
    if (current === null || isSame(current.value, sent)) discard();
    else {
      refuse(null);
      moveTo(next, sent, current.value);
    }
  };
  /** After another action of this page has saved the document: other changes stay. */
  const adoptOwn = (next: typeof stored): void => {
    const current = readLatest();
    adopt(next);
    if (current === null || current.version === null || next.version !== current.version + 1) return;
    moveTo(next, current.base, current.value);
  };
  /** Merges the changes of somebody else. Nothing is saved. */
  const merge = (): void => {
    const { base, value } = begin();
    refuse(null);
    moveTo(stored, base, value);
  };

  const isStored = written !== null && isSame(written.value, stored.value);
  // The answer to a save may be lost, and only a later load shows what it stored.
  const forgetStored = useEventCallback((): void => {
    if (!isSending.current && isSame(readLatest()?.value, stored.value)) discard();
  });
  /** @param save settles the changes, unless it fails */
  const whileSending = async (save: () => Promise<void>): Promise<void> => {
    isSending.current = true;
    try {
      await save();
      isSending.current = false;
    } catch (error) {
      isSending.current = false;
      forgetStored();
      throw error;
    }
  };
  useEffect(() => {
    if (isStored) forgetStored();
  }, [isStored, forgetStored]);

  const draft = written === null || isStored ? null : rebase(written);
  return {
    stored,
    draft,
    isRestored: isRestored && draft !== null,
    isOutdated: draft !== null && isOutdated(draft, stored),
    refused,
    refuse,
    begin,
    hasChanges: (): boolean => readLatest() !== null,
    change,
    whileSending,
    discard,
    settle,
    adoptOwn,
    merge,
  };
}
