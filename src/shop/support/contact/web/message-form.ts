/** Between the form and the call, in the browser and without a script alike. */
import { textOf } from '#src/shop/accounts/web/text-of-form.ts';
import { MESSAGE_FIELDS, MESSAGE_LABELS } from '../check-message.ts';
import type { MessageDraft, MessageFaults, MessageField } from '../check-message.ts';
import { isApiFailure } from '#src/storefront/api.ts';
import { waitText } from '#src/storefront/wait-text.ts';

/** Why a message was not sent. */
export interface Refused {
  /** What concerns no field. */
  readonly failure: string | null;
  readonly faults: MessageFaults;
}

export const draftOf = (form: FormData): MessageDraft => ({
  firstName: textOf(form, 'firstName'),
  lastName: textOf(form, 'lastName'),
  email: textOf(form, 'email'),
  message: textOf(form, 'message'),
});

export function refusedBy(error: unknown): Refused {
  const faults: Partial<Record<MessageField, string>> = {};
  if (!isApiFailure(error)) return { failure: 'Something went wrong on our side. Please try again.', faults };
  for (const field of MESSAGE_FIELDS) {
    const reason = error.fields[field];
    if (reason !== undefined) faults[field] = `${MESSAGE_LABELS[field]} ${reason}`;
  }
  return { failure: Object.keys(faults).length > 0 ? null : reasonOf(error), faults };
}

function reasonOf({ status, retryAfterSeconds }: { status: number; retryAfterSeconds: number | null }): string {
  if (status === 0) return 'The shop did not answer. Check your connection and try again.';
  if (status === 429) return `You have sent us several messages just now. ${waitText(retryAfterSeconds)}`;
  return 'Something went wrong on our side. Please try again in a moment.';
}
