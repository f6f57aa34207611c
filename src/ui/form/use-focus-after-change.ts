import type { RefObject } from 'react';
import { useLayoutEffect, useRef } from 'react';

interface FocusRequest {
  readonly selector: string;
  readonly before: unknown;
}

/**
 * Moves the focus within `container` once `value` has changed and the element is enabled, such as to a button of an item
 * that was moved.
 *
 * @returns a function that takes the selector of the element, and what `value` was before the change, by default what it
 *   is now; null, which it never is, moves the focus after the next render
 */
export function useFocusAfterChange(container: RefObject<HTMLElement | null>, value: unknown) {
  const requested = useRef<FocusRequest | null>(null);
  // A layout effect: React may run the passive effect of an earlier render after the request and before the change.
  useLayoutEffect(() => {
    if (requested.current === null || requested.current.before === value) return;
    const element = container.current?.querySelector<HTMLElement>(requested.current.selector);
    // As long as a change is being saved.
    if (element?.matches(':disabled') === true) return;
    element?.focus();
    requested.current = null;
  });
  return (selector: string, before: unknown = value): void => {
    requested.current = { selector, before };
  };
}
