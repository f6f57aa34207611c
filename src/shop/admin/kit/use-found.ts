import { useEffect, useRef, useState } from 'react';
import { logError } from '#src/ui/browser/log-error.ts';
import { useEventCallback } from '#src/ui/react/use-event-callback.ts';

const TYPING_PAUSE_MS = 250;

export interface Found<Result> {
  /** Null while it is loading, or after a failure. */
  readonly result: Result | null;
  readonly hasFailed: boolean;
}

/** Loads what a text asks for, shortly after typing; nothing for an empty text. */
export function useFound<Result>(
  text: string,
  load: (text: string, signal: AbortSignal) => Promise<Result>,
): Found<Result> {
  const [found, setFound] = useState<{ readonly text: string; readonly result: Result | null } | null>(null);
  const running = useRef<AbortController | null>(null);
  const search = useEventCallback(() => {
    const abort = new AbortController();
    running.current = abort;
    const show = async () => {
      try {
        const result = await load(text, abort.signal);
        if (!abort.signal.aborted) setFound({ text, result });
      } catch (error) {
        if (abort.signal.aborted) return;
        logError('a search failed', error);
        setFound({ text, result: null });
      }
    };
    void show();
  });
  useEffect(() => {
    if (text === '') return undefined;
    const timer = setTimeout(search, TYPING_PAUSE_MS);
    return () => {
      clearTimeout(timer);
      running.current?.abort();
    };
  }, [text, search]);
  const isPresent = text !== '' && found?.text === text;
  return { result: isPresent ? found.result : null, hasFailed: isPresent && found.result === null };
}
