/** Whether the focus can be seen: whoever uses the keyboard must not lose it with what goes away. */
export const isFocusVisible = (): boolean => document.activeElement?.matches(':focus-visible') === true;

/** Gives the focus to the first thing within an element that takes it, or to the heading of the step. */
export function focusFirstWithin(element: Element | null | undefined): void {
  const first = element?.querySelector<HTMLElement>('a:not([tabindex="-1"]), button:not(:disabled), input, select');
  (first ?? document.querySelector<HTMLElement>('#step-title'))?.focus({ preventScroll: true });
}
