import type { RefObject } from 'react';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate, useNavigation } from 'react-router';
import { formatCatalogueQuery } from '../catalogue-query.ts';
import type { CatalogueQuery } from '../catalogue-query.ts';
import type { FilteredView } from './load-products.ts';

const WIDE_SCREEN_QUERY = '(min-width: 992px)';

interface Filters {
  /** What is asked for at this moment, ahead of the list while that is under way. */
  readonly draft: CatalogueQuery;
  readonly change: (query: CatalogueQuery) => void;
  /** Another list of this page is under way. */
  readonly isLoading: boolean;
}

/** Each change of a filter is an address of its own, gone to at once and gone back from with the back button. */
export function useFilters({ query, textName }: FilteredView): Filters {
  const [{ shown, draft }, setState] = useState({ shown: query, draft: query });
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const { location: next } = useNavigation();
  const isLoading = next !== undefined && next.pathname === pathname && next.search !== search;
  // A list that comes while the next one is asked for does not take back what was ticked since.
  if (shown !== query && !isLoading) setState({ shown: query, draft: query });
  return {
    draft,
    isLoading,
    change: (asked) => {
      const first = { ...asked, offset: 0 };
      setState({ shown: query, draft: first });
      void navigate(`${pathname}${formatCatalogueQuery(first, textName)}`);
    },
  };
}

interface Panel {
  readonly isOpen: boolean;
  /** It has been open: what only an open panel needs is worth fetching. */
  readonly wasOpened: boolean;
  readonly toggle: () => void;
  readonly close: () => void;
  /** The panel is closed, by whatever it was. */
  readonly handleClosed: () => void;
}

/** One panel: beside the list where there is room, else a sheet above it that keeps the focus. */
export function useFilterPanel(
  dialog: RefObject<HTMLDialogElement | null>,
  opener: RefObject<HTMLButtonElement | null>,
): Panel {
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setOpened] = useState(false);

  useEffect(() => {
    const close = () => dialog.current?.close();
    // Its button has opened it before the script was there, and as a sheet in any case: it is pressed again.
    if (dialog.current?.open === true) {
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
    // Beside the list it is a part of the page: the focus stays where it was.
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
