/** Form values and failures, shared by the browser and the action without JavaScript. */
import { readField } from '#src/shop/accounts/web/read-field.ts';
import { MESSAGE_FIELDS, MESSAGE_LABELS } from '../check-message.ts';
import type { MessageDraft, MessageErrors, MessageField } from '../check-message.ts';
import { isApiFailure } from '#src/storefront/api.ts';
import { formatWait } from '#src/storefront/format-wait.ts';

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
  if (!isApiFailure(error))
    return { failure: 'Something went wrong on our side. Please try again.', errors: fieldErrors };
  for (const field of MESSAGE_FIELDS) {
    const reason = error.fields[field];
    if (reason !== undefined) fieldErrors[field] = `${MESSAGE_LABELS[field]} ${reason}`;
  }
  return { failure: Object.keys(fieldErrors).length > 0 ? null : describeReason(error), errors: fieldErrors };
}

function describeReason({ status, retryAfterSeconds }: { status: number; retryAfterSeconds: number | null }): string {
  if (status === 0) return 'The shop did not respond. Check your connection and try again.';
  if (status === 429) return `Too many messages. ${formatWait(retryAfterSeconds)}`;
  return 'Something went wrong on our side. Please try again in a moment.';
}
