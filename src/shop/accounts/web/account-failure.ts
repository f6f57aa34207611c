/** Why the account of a link was not created, for the page with scripts and without. */
import { isApiFailure } from '#src/storefront/api.ts';
import { describeOutage } from '#src/storefront/forms/describe-failure.ts';

export interface AccountFailure {
  readonly detail: string;
  /** Messages of fields, by their names. */
  readonly messages: Readonly<Record<string, string>>;
}

/** @param labels of fields, by their names */
export function toAccountFailure(error: unknown, labels: Readonly<Record<string, string>>): AccountFailure {
  const fields = isApiFailure(error) ? error.fields : {};
  const messages = Object.fromEntries(
    Object.entries(fields).map(([name, text]) => [name, `${labels[name] ?? name} ${text}`] as const),
  );
  const [first = 'The account was not created'] = Object.values(messages);
  return { detail: describeOutage(error) ?? `${first}.`, messages };
}

/** Moves the focus to the first field that has a message. */
export function focusInvalid(form: HTMLFormElement | null, { messages }: AccountFailure): void {
  const fields = [...(form?.elements ?? [])].filter((one) => one instanceof HTMLInputElement);
  fields.find(({ name }) => name in messages)?.focus();
}
