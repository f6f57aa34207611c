/** Form values and failures, shared by the browser and the action without JavaScript. */
import { readField } from '#src/ui/form/read-field.ts';
import { describeFailure } from '#src/storefront/forms/describe-failure.ts';
import { MESSAGE_FIELDS, MESSAGE_LABELS } from '../check-message.ts';
import type { MessageDraft } from '../check-message.ts';
import { isApiFailure } from '#src/storefront/api.ts';
import type { FormFailure } from '#src/ui/form/use-form.ts';

export const readDraft = (form: FormData): MessageDraft => ({
  firstName: readField(form, 'firstName'),
  lastName: readField(form, 'lastName'),
  email: readField(form, 'email'),
  message: readField(form, 'message'),
});

export function toFailure(error: unknown): FormFailure {
  const named = isApiFailure(error) ? error.fields : {};
  const problems = Object.fromEntries(
    MESSAGE_FIELDS.flatMap((field) => (named[field] ? [[field, `${MESSAGE_LABELS[field]} ${named[field]}`]] : [])),
  );
  const hasProblems = Object.keys(problems).length > 0;
  return { text: hasProblems ? null : describeFailure(error, { counted: 'messages' }), problems };
}
