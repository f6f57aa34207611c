/** Which columns of a list a person sees. Kept by the browser, for each account. */
import { useMemo } from 'react';
import { useSession } from '#src/storefront/session/session.ts';
import { readStored, writeStored } from '#src/ui/browser/browser-storage.ts';
import { createStore } from '#src/ui/react/store.ts';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';

const toKey = (list: string, account: string): string => `hidden_columns_${list}_${account}`;

/** Hidden columns by storage key, as this document changed them. */
const changes = createStore<Record<string, string>>({});

interface ShownColumns<Shown> {
  readonly shown: readonly Shown[];
  readonly isShown: (id: string) => boolean;
  readonly setShown: (id: string, isShown: boolean) => void;
}

/**
 * @param list names the list in the storage
 * @param columns all of them; the one with the name of a row is always shown
 */
export function useShownColumns<Shown extends { readonly id: string; readonly isName?: boolean }>(
  list: string,
  columns: readonly Shown[],
): ShownColumns<Shown> {
  const isHydrated = useHydrated();
  const account = useSession(({ user }) => user?.id ?? null);
  const key = account === null ? null : toKey(list, account);
  const changed = changes.use((state) => (key === null ? undefined : state[key]));
  const text = changed ?? (isHydrated && key !== null ? readStored(key) : null) ?? '';
  const hidden = useMemo(() => new Set(text.split(',')), [text]);
  const isShown = (id: string): boolean => !hidden.has(id);
  return {
    shown: columns.filter(({ id, isName = false }) => isName || isShown(id)),
    isShown,
    setShown: (id, isNowShown) => {
      if (key === null) return;
      const next = columns.map((column) => column.id).filter((one) => (one === id ? !isNowShown : hidden.has(one)));
      changes.update({ [key]: next.join(',') });
      writeStored(key, next.length === 0 ? null : next.join(','));
    },
  };
}
