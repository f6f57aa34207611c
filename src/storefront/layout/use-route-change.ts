import { useEffect, useLayoutEffect } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router';
import { readOfTab, writeOfTab } from '#src/ui/browser/tab-storage.ts';

const STORAGE_KEY = 'scroll_positions';

// Outside React: the frame is mounted again around an error page.
let positions: Record<string, number> = {};
let lastShown: { key: string; pathname: string } | null = null;

/**
 * A new path starts at the top with the focus on its heading. A changed query keeps the scroll position, and going back
 * restores it.
 */
export function useRouteChange(): void {
  const { key, pathname, hash } = useLocation();
  const isPop = useNavigationType() === NavigationType.Pop;

  useEffect(() => {
    positions = { ...readPositions(), ...positions };
    history.scrollRestoration = 'manual';
    const saveScroll = () => {
      if (lastShown) positions[lastShown.key] = window.scrollY;
    };
    // The visitor may have scrolled before hydration.
    saveScroll();
    // The browser restores the position of a reloaded or other document.
    const enableRestoration = () => {
      history.scrollRestoration = 'auto';
      writePositions();
    };
    const disableRestoration = () => {
      history.scrollRestoration = 'manual';
    };
    window.addEventListener('scroll', saveScroll, { passive: true });
    window.addEventListener('pagehide', enableRestoration);
    window.addEventListener('pageshow', disableRestoration);
    return () => {
      window.removeEventListener('scroll', saveScroll);
      window.removeEventListener('pagehide', enableRestoration);
      window.removeEventListener('pageshow', disableRestoration);
    };
  }, []);

  useBrowserLayoutEffect(() => {
    const before = lastShown;
    lastShown = { key, pathname };
    if (!before || before.key === key) return;
    // A menu must not cover the page that it opened.
    for (const menu of document.querySelectorAll<HTMLElement>('[popover="auto"]')) menu.hidePopover?.();
    const isNewPath = before.pathname !== pathname;
    const saved = isPop ? positions[key] : undefined;
    if (saved !== undefined) window.scrollTo(0, saved);
    else if (hash) document.querySelector(`#${CSS.escape(hash.slice(1))}`)?.scrollIntoView();
    else if (isNewPath) window.scrollTo(0, 0);
    if (!isNewPath) return;
    focusHeading();
    // The first page's tags do not describe this page.
    document.querySelector('link[data-first]')?.remove();
  }, [key, pathname, hash, isPop]);
}

// React warns about layout effects on the server.
const useBrowserLayoutEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect;

function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>('main h1');
  heading?.setAttribute('tabindex', '-1');
  heading?.focus({ preventScroll: true });
}

function readPositions(): Record<string, number> {
  const stored = readOfTab(STORAGE_KEY);
  const entries = Object.entries(typeof stored === 'object' && stored !== null ? stored : {});
  return Object.fromEntries(entries.filter((entry): entry is [string, number] => typeof entry[1] === 'number'));
}

/** Without a stored position, going back ends at the top. */
const writePositions = (): void => writeOfTab(STORAGE_KEY, positions);
