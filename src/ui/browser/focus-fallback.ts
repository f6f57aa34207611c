/** Whether the focus is visible. A keyboard user must not lose it when an element is removed. */
export const isFocusVisible = (): boolean => document.activeElement?.matches(':focus-visible') === true;

/** Focuses the first focusable element inside, or the heading of the step. */
export function focusFirstWithin(element: Element | null | undefined): void {
  const first = element?.querySelector<HTMLElement>('a:not([tabindex="-1"]), button:not(:disabled), input, select');
  (first ?? document.querySelector<HTMLElement>('#step-title'))?.focus({ preventScroll: true });
}
