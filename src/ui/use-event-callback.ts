import { useCallback, useEffect, useRef } from 'react';

/** Calls what was given last; itself it never changes. */
export function useEventCallback(act: () => void): () => void {
  const newest = useRef(act);
  useEffect(() => {
    newest.current = act;
  });
  return useCallback(() => newest.current(), []);
}
