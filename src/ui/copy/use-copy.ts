import { useEffect, useState } from 'react';
import { logError } from '../browser/log-error.ts';
import { showToast } from '../feedback/show-toast.ts';

const SHOWN_MS = 2000;

interface Copying {
  /** Copied within the last seconds. */
  readonly isCopied: boolean;
  readonly copy: () => void;
}

/** Copies text to the clipboard and reports the result; null: there is no text yet. */
export function useCopy(text: string | null): Copying {
  const [copies, setCopies] = useState(0);
  useEffect(() => {
    if (copies === 0) return undefined;
    const timer = setTimeout(() => setCopies(0), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copies]);

  const copy = async () => {
    if (text === null) return;
    try {
      await navigator.clipboard.writeText(text);
      setCopies((count) => count + 1);
      showToast('success', 'Copied to clipboard!');
    } catch (error) {
      logError('nothing was copied', error);
      showToast('error', 'Failed to copy');
    }
  };
  return { isCopied: copies > 0, copy: () => void copy() };
}
