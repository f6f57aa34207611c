import type { RefObject } from 'react';
import { useRef } from 'react';
import { describeFailureWithFields } from '#src/storefront/forms/describe-failure.ts';
import { useCallAction } from '#src/storefront/forms/use-call-action.ts';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { showToast } from '#src/ui/feedback/show-toast.ts';
import { useCloseDrawer } from './drawer.tsx';

interface StaffActionOptions<Result> {
  /** Label of the button, for the log. */
  readonly button: string;
  /** Toast after success. */
  readonly done: string | ((result: Result) => string);
  readonly send: (data: FormData) => Promise<Result>;
}

interface StaffAction {
  readonly form: RefObject<HTMLFormElement | null>;
  readonly isBusy: boolean;
  /** Why the last attempt failed; null: it did not. */
  readonly failed: string | null;
  readonly forgetFailure: () => void;
  /** @param onDone after success, before the toast */
  readonly act: (data: FormData, onDone?: () => void) => Promise<unknown>;
}

/** Files have no equality: those of an empty field differ each time. */
const listEntries = (data: FormData): readonly string[] =>
  [...data].map(([name, value]) =>
    JSON.stringify([name, typeof value === 'string' ? value : [value.name, value.size]]),
  );

const isSameData = (one: FormData, other: FormData): boolean => listEntries(one).join() === listEntries(other).join();

/**
 * Sends the form of an action. Reloads the page data afterwards, closes the drawer that it is in, and empties the form
 * unless it was changed meanwhile.
 */
export function useStaffAction<Result>({ button, done, send }: StaffActionOptions<Result>): StaffAction {
  const closeDrawer = useCloseDrawer();
  const form = useRef<HTMLFormElement>(null);
  const { isBusy, failed, show, run } = useCallAction({
    log: `${button}: failed`,
    describe: describeFailureWithFields,
    settle: reloadPage,
  });
  const act = (data: FormData, onDone?: () => void) =>
    run(async () => {
      const result = await send(data);
      onDone?.();
      closeDrawer?.();
      if (form.current !== null && isSameData(new FormData(form.current), data)) form.current.reset();
      showToast('success', typeof done === 'string' ? done : done(result));
    });
  return { form, isBusy, failed, forgetFailure: () => show(null), act };
}
