import type { RefObject } from 'react';
import { useEffect, useLayoutEffect, useState } from 'react';
import { useLocation, useNavigate, useNavigation } from 'react-router';
import { formatCatalogueQuery } from '../catalogue-query.ts';
import type { CatalogueQuery } from '../catalogue-query.ts';
import type { FilteredView } from './load-products.ts';

const WIDE_SCREEN_QUERY = '(min-width: 992px)';
/** The panel is open from the start; the style sheets show it before the scripts are there. */
const OPEN_PANEL_QUERY = '(min-width: 1280px)';

interface Filters {
  /** Requested query, ahead of the list while it is loading. */
  readonly draft: CatalogueQuery;
  readonly change: (query: CatalogueQuery) => void;
  /** Whether another list of this page is loading. */
  readonly isLoading: boolean;
}

/** Each filter change navigates to a URL, so that Back undoes it. */
export function useFilters({ query, textName }: FilteredView): Filters {
  const [{ shown, draft }, setState] = useState({ shown: query, draft: query });
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const { location: next } = useNavigation();
  const isLoading = next !== undefined && next.pathname === pathname && next.search !== search;
  // A list that arrives during the next request must not undo later changes.
  if (shown !== query && !isLoading) setState({ shown: query, draft: query });
  return {
    draft,
    isLoading,
    change: (requested) => {
      const first = { ...requested, offset: 0 };
      setState({ shown: query, draft: first });
      void navigate(`${pathname}${formatCatalogueQuery(first, textName)}`);
    },
  };
}

interface Panel {
  readonly isOpen: boolean;
  /** Whether the panel has been opened, so that its lazy parts are loaded. */
  readonly wasOpened: boolean;
  readonly toggle: () => void;
  readonly close: () => void;
  /** Called after the panel closed, for any reason. */
  readonly handleClosed: () => void;
}

/** One panel: beside the list on wide screens, otherwise a sheet that traps the focus. */
export function useFilterPanel(
  dialog: RefObject<HTMLDialogElement | null>,
  opener: RefObject<HTMLButtonElement | null>,
): Panel {
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setOpened] = useState(false);

  useLayoutEffect(() => {
    if (!dialog.current || dialog.current.open || !matchMedia(OPEN_PANEL_QUERY).matches) return;
    // `show()` would move the focus.
    dialog.current.toggleAttribute('open', true);
    // oxlint-disable-next-line react/set-state-in-effect -- only the browser knows its width; nothing was painted yet
    setOpen(true);
    setOpened(true);
  }, [dialog]);

  useEffect(() => {
    const close = () => dialog.current?.close();
    // The button has opened it natively as a sheet: reopen it in the right mode.
    if (dialog.current?.matches(':modal') === true) {
      close();
      opener.current?.click();
    }
    const wide = matchMedia(WIDE_SCREEN_QUERY);
    wide.addEventListener('change', close);
    return () => wide.removeEventListener('change', close);
  }, [dialog, opener]);

  const open = () => {
    setOpen(true);
    setOpened(true);
    if (!matchMedia(WIDE_SCREEN_QUERY).matches) {
      dialog.current?.showModal();
      return;
    }
    dialog.current?.show();
    // Beside the list it is part of the page: keep the focus.
    opener.current?.focus({ preventScroll: true });
  };
  const close = () => dialog.current?.close();
  return {
    isOpen,
    wasOpened,
    toggle: () => (isOpen ? close() : open()),
    close,
    handleClosed: () => setOpen(dialog.current?.open === true),
  };
}
