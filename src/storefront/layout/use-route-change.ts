import { useEffect, useLayoutEffect } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router';

const STORAGE_KEY = 'scroll_positions';

// Outside React: it outlives the frame, which is built anew around an error.
let positions: Record<string, number> = {};
let lastShown: { key: string; pathname: string } | null = null;

/**
 * A new path starts at the top with the focus on its heading; a changed query stays where it is; going back returns to
 * where one was.
 */
export function useRouteChange(): void {
  const { key, pathname, hash } = useLocation();
  const isPop = useNavigationType() === NavigationType.Pop;

  useEffect(() => {
    positions = { ...readPositions(), ...positions };
    history.scrollRestoration = 'manual';
    const note = () => {
      if (lastShown) positions[lastShown.key] = window.scrollY;
    };
    // Whoever was quicker than this script has scrolled already.
    note();
    // Another document, or this one loaded anew, is the browser's business.
    const leave = () => {
      history.scrollRestoration = 'auto';
      writePositions();
    };
    const comeBack = () => {
      history.scrollRestoration = 'manual';
    };
    window.addEventListener('scroll', note, { passive: true });
    window.addEventListener('pagehide', leave);
    window.addEventListener('pageshow', comeBack);
    return () => {
      window.removeEventListener('scroll', note);
      window.removeEventListener('pagehide', leave);
      window.removeEventListener('pageshow', comeBack);
    };
  }, []);

  useBrowserLayoutEffect(() => {
    const before = lastShown;
    lastShown = { key, pathname };
    if (!before || before.key === key) return;
    // The page that was opened from the menu must not lie beneath it.
    document.querySelector<HTMLElement>('[popover]')?.hidePopover?.();
    const isNewPath = before.pathname !== pathname;
    const saved = isPop ? positions[key] : undefined;
    if (saved !== undefined) window.scrollTo(0, saved);
    else if (hash) document.querySelector(`#${CSS.escape(hash.slice(1))}`)?.scrollIntoView();
    else if (isNewPath) window.scrollTo(0, 0);
    if (!isNewPath) return;
    focusHeading();
    // What the server said of the first page is not true of this one.
    document.querySelector('link[data-first]')?.remove();
  }, [key, pathname, hash, isPop]);
}

// React warns of layout effects on a server, which has none.
const useBrowserLayoutEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect;

function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>('main h1');
  heading?.setAttribute('tabindex', '-1');
  heading?.focus({ preventScroll: true });
}

function readPositions(): Record<string, number> {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '{}');
    const entries = Object.entries(typeof stored === 'object' && stored !== null ? stored : {});
    return Object.fromEntries(entries.filter((entry): entry is [string, number] => typeof entry[1] === 'number'));
  } catch {
    return {};
  }
}

function writePositions(): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(positions));
  } catch {
    // Going back then ends at the top.
  }
}
