import { useCallback, useEffect, useRef, useState } from 'react';

interface Question {
  readonly isOpen: boolean;
  /** Opens it. @returns whether it was answered with yes; no if the page is left */
  readonly ask: () => Promise<boolean>;
  readonly answer: (isYes: boolean) => void;
}

/** A question to the visitor. Concurrent callers share one. */
export function useQuestion(): Question {
  const [isOpen, setIsOpen] = useState(false);
  const asked = useRef<PromiseWithResolvers<boolean> | null>(null);
  const answer = useCallback((isYes: boolean): void => {
    asked.current?.resolve(isYes);
    asked.current = null;
    setIsOpen(false);
  }, []);
  const ask = useCallback((): Promise<boolean> => {
    asked.current ??= Promise.withResolvers<boolean>();
    setIsOpen(true);
    return asked.current.promise;
  }, []);
  useEffect(() => () => answer(false), [answer]);
  return { isOpen, ask, answer };
}
