/** Why the account of a link was not created, for the page with scripts and without. */
import { isApiFailure } from '#src/storefront/api.ts';
import { describeOutage } from '#src/storefront/forms/describe-failure.ts';
import type { FormFailure } from '#src/ui/form/use-form.ts';

/** @param labels of fields, by their names */
export function toAccountFailure(error: unknown, title: string, labels: Readonly<Record<string, string>>): FormFailure {
  const fields = isApiFailure(error) ? error.fields : {};
  const problems = Object.fromEntries(
    Object.entries(fields).map(([name, text]) => [name, `${labels[name] ?? name} ${text}`] as const),
  );
  const [first = 'The account was not created'] = Object.values(problems);
  return { title, text: describeOutage(error) ?? `${first}.`, problems };
}
