import type { RefObject } from 'react';
import { useEffect, useState } from 'react';
import { isApiFailure, isRefusal } from '#src/storefront/api.ts';
import { logError } from '#src/ui/log-error.ts';
import { showToast } from '#src/ui/show-toast.ts';
import { describeFailure } from '#src/storefront/forms/describe-failure.ts';

export interface SaveFailure {
  readonly text: string;
  /** Somebody else changed it meanwhile. */
  readonly isConflict: boolean;
  /** By the path of the field. */
  readonly fields: Readonly<Record<string, string>>;
}

/** A field of pictures takes the focus at its first button. */
const INVALID = '[aria-invalid="true"], [data-invalid="true"] button';

const capitalise = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;

function describe(error: unknown): SaveFailure {
  const fields = isApiFailure(error) ? Object.entries(error.fields) : [];
  return {
    text:
      fields.length > 0
        ? 'Not saved. Correct the marked fields and try again.'
        : describeFailure(error, { assurance: 'Your text is still here.' }),
    isConflict: isApiFailure(error) && error.code === 'changed-meanwhile',
    fields: Object.fromEntries(fields.map(([path, text]) => [path, capitalise(text)])),
  };
}

/** Runs changes of a form, and moves the focus to the first field with a message. */
export function useSave(form: RefObject<HTMLElement | null>) {
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<SaveFailure | null>(null);

  useEffect(() => {
    if (failure) form.current?.querySelector<HTMLElement>(INVALID)?.focus();
  }, [failure, form]);

  /** @returns whether it succeeded */
  const save = async (action: () => Promise<unknown>, done: string): Promise<boolean> => {
    if (isBusy) return false;
    setIsBusy(true);
    setFailure(null);
    try {
      await action();
      showToast('success', done);
      return true;
    } catch (error) {
      if (!isRefusal(error)) logError('a text was not saved', error);
      setFailure(describe(error));
      return false;
    } finally {
      setIsBusy(false);
    }
  };
  return { isBusy, failure, save, clear: () => setFailure(null) };
}
