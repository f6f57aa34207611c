/** The fields of the withdrawal page as they are sent, which both steps carry. */
import { isApiFailure } from '#src/storefront/api.ts';
import { readField } from '#src/ui/form/read-field.ts';
import type { FormFailure, Problems } from '#src/ui/form/use-form.ts';

/** What was typed. */
export interface WithdrawalDraft {
  readonly order_number: string;
  readonly order_email: string;
  readonly name: string;
  readonly acknowledgement_email: string;
  readonly reason: string;
  /** Quantities by position; empty without a link or account. */
  readonly units: Readonly<Record<string, string>>;
}

const UNITS = 'units-';

export const nameUnitsField = (position: number | string): string => `${UNITS}${position}`;

export function readDraft(form: FormData): WithdrawalDraft {
  const units = [...form.keys()].filter((name) => name.startsWith(UNITS));
  return {
    order_number: readField(form, 'order_number'),
    order_email: readField(form, 'order_email'),
    name: readField(form, 'name'),
    acknowledgement_email: readField(form, 'acknowledgement_email'),
    reason: readField(form, 'reason'),
    units: Object.fromEntries(units.map((name) => [name.slice(UNITS.length), readField(form, name)])),
  };
}

/** Names and values of hidden fields that carry the draft to the next step. */
export const listDraftFields = ({ units, ...draft }: WithdrawalDraft): readonly (readonly [string, string])[] => [
  ...Object.entries(draft),
  ...Object.entries(units).map(([position, quantity]) => [nameUnitsField(position), quantity] as const),
];

/** Units that are chosen; null without a choice. An entry that is no number is refused by the call. */
function toUnits(units: WithdrawalDraft['units']) {
  const entries = Object.entries(units);
  if (entries.length === 0) return null;
  return entries
    .map(([position, quantity]) => ({ position: Number(position), quantity: Number(quantity) }))
    .filter(({ quantity }) => quantity !== 0);
}

/** How the page knows the order: by a link, by its id for the buyer who is logged in, or by what is typed. */
export type KnownOrder = { readonly link: string } | { readonly order_id: string } | null;

export const toDeclaration = (draft: WithdrawalDraft, known: KnownOrder) => ({
  ...(known ?? { order_number: draft.order_number, order_email: draft.order_email }),
  name: draft.name,
  units: known === null ? null : toUnits(draft.units),
  acknowledgement_email: draft.acknowledgement_email.trim() || null,
  reason: draft.reason.trim() || null,
});

const NO_UNITS = 'Choose at least one unit, and at most as many as the order has.';

const isMissing = (message: string): boolean => message === 'is required';
const NO_ADDRESS = 'Enter a mail address, such as name@mail.example.';
const MESSAGES: Readonly<Record<string, (message: string) => string>> = {
  order_number: (message) => (isMissing(message) ? 'Enter the order number.' : `The order number ${message}.`),
  order_email: () => NO_ADDRESS,
  acknowledgement_email: () => NO_ADDRESS,
  name: (message) => (isMissing(message) ? 'Enter your name.' : `The name ${message}.`),
};

/** Messages of a refused call, beside their fields. */
export function toFailure(error: unknown): FormFailure {
  if (!isApiFailure(error)) throw error;
  if (error.status === 429) return { text: 'Too many attempts. Wait, or write to us.', problems: {} };
  if (error.status !== 400) return { text: error.message, problems: {} };
  const isOfUnits = Object.keys(error.fields).some((path) => path === 'units' || path.startsWith('units.'));
  const problems: Problems = Object.fromEntries(
    Object.entries(error.fields).map(([path, message]) => [path, MESSAGES[path]?.(message) ?? message] as const),
  );
  return { text: isOfUnits ? NO_UNITS : 'Check the marked fields.', problems };
}
