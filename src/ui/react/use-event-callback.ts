import { useCallback, useEffect, useRef } from 'react';

/** Stable callback that always calls the latest function. */
export function useEventCallback<Arguments extends readonly unknown[]>(
  act: (...args: Arguments) => void,
): (...args: Arguments) => void {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  return useCallback((...args: Arguments) => latest.current(...args), []);
}
