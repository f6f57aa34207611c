/** Form values and failures, shared by the browser and the action without JavaScript. */
import { readField } from '#src/shop/accounts/web/read-field.ts';
import { describeFailure } from '#src/storefront/forms/describe-failure.ts';
import { MESSAGE_FIELDS, MESSAGE_LABELS } from '../check-message.ts';
import type { MessageDraft, MessageErrors, MessageField } from '../check-message.ts';
import { isApiFailure } from '#src/storefront/api.ts';

/** Why a message was not sent. */
export interface MessageFailure {
  /** Failure that concerns no field. */
  readonly failure: string | null;
  readonly errors: MessageErrors;
}

export const readDraft = (form: FormData): MessageDraft => ({
  firstName: readField(form, 'firstName'),
  lastName: readField(form, 'lastName'),
  email: readField(form, 'email'),
  message: readField(form, 'message'),
});

export function toFailure(error: unknown): MessageFailure {
  const fieldErrors: Partial<Record<MessageField, string>> = {};
  for (const field of MESSAGE_FIELDS) {
    const reason = isApiFailure(error) ? error.fields[field] : undefined;
    if (reason !== undefined) fieldErrors[field] = `${MESSAGE_LABELS[field]} ${reason}`;
  }
  const hasFieldErrors = Object.keys(fieldErrors).length > 0;
  return { failure: hasFieldErrors ? null : describeFailure(error, { counted: 'messages' }), errors: fieldErrors };
}
