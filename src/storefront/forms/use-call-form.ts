/** A form that calls the shop. */
import { showToast } from '#src/ui/feedback/show-toast.ts';
import { useForm } from '#src/ui/form/use-form.ts';
import type { FormFailure, FormOptions, FormState } from '#src/ui/form/use-form.ts';
import { isApiFailure } from '../api.ts';
import { reloadPage } from '../reload-page.ts';
import { describeFailure } from './describe-failure.ts';
import { logAndDescribe } from './use-call-action.ts';

interface CallFormOptions<Values> extends Omit<FormOptions<Values>, 'describe'> {
  /** For the log, if the shop fails: 'the message was not sent'. */
  readonly log: string;
  /** Toast after success. With it the form stays busy until the page shows what was saved. */
  readonly saved?: string | ((values: Values) => string);
  /** After that, such as for closing the form. */
  readonly onSaved?: (values: Values) => void;
  /** Why the call failed. Null: nothing is shown. */
  readonly describe?: (error: unknown) => FormFailure | null;
}

/** The messages of the shop beside their fields, or one sentence if it names none. */
export function describeByField(error: unknown): FormFailure {
  const problems = isApiFailure(error) ? error.fields : {};
  return { text: Object.keys(problems).length > 0 ? null : describeFailure(error), problems };
}

export function useCallForm<Values>(options: CallFormOptions<Values>): FormState {
  const { log, saved, onSaved, describe = describeByField, send } = options;
  return useForm({
    ...options,
    send: async (values) => {
      await send(values);
      if (saved === undefined) return;
      await reloadPage();
      showToast('success', typeof saved === 'string' ? saved : saved(values));
      onSaved?.(values);
    },
    describe: logAndDescribe(log, describe),
  });
}
