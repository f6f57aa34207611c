import { useCallback, useEffect, useRef } from 'react';

/** Stable callback that always calls the latest function. */
export function useEventCallback(act: () => void): () => void {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  return useCallback(() => latest.current(), []);
}
