import type { RefObject } from 'react';
import { useEffect, useState } from 'react';
import { isApiFailure, isRefusal } from '#src/storefront/api.ts';
import { logError } from '#src/ui/log-error.ts';
import { describeFailure } from '#src/storefront/forms/describe-failure.ts';

interface SaveFailure {
  readonly code: string;
  readonly message: string;
  /** Messages by field of the request. */
  readonly fields: Readonly<Record<string, string>>;
}

export interface Saving {
  readonly isBusy: boolean;
  readonly failure: SaveFailure | null;
  /** Scrolls to the first invalid field and focuses it. */
  readonly showProblem: () => void;
  /** Runs one save at a time. @returns whether it succeeded */
  readonly run: (work: () => Promise<unknown>) => Promise<boolean>;
  /** Shows messages without a call, or clears them. */
  readonly setFailure: (failure: SaveFailure | null) => void;
}

export function toFailure(error: unknown): SaveFailure {
  const message = describeFailure(error);
  return isApiFailure(error)
    ? { code: error.code, message, fields: error.fields }
    : { code: 'failed', message, fields: {} };
}

function focusProblem(form: HTMLFormElement | null): void {
  const target = form?.querySelector<HTMLElement>('[aria-invalid="true"], [data-problem]');
  target?.focus({ preventScroll: true });
  target?.scrollIntoView({ block: 'center' });
}

/** State of a form that saves: after a refusal the first invalid field has the focus. */
export function useSave(form: RefObject<HTMLFormElement | null>): Saving {
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<SaveFailure | null>(null);
  useEffect(() => {
    if (failure !== null) focusProblem(form.current);
  }, [failure, form]);
  const run = async (work: () => Promise<unknown>): Promise<boolean> => {
    if (isBusy) return false;
    setIsBusy(true);
    setFailure(null);
    try {
      await work();
      return true;
    } catch (error) {
      if (!isRefusal(error)) logError('a form of the back office could not be saved', error);
      setFailure(toFailure(error));
      return false;
    } finally {
      setIsBusy(false);
    }
  };
  return { isBusy, failure, showProblem: () => focusProblem(form.current), run, setFailure };
}
