/** All sentences about a document that somebody else changed while it was being edited. */
import type { Conflict } from '#src/storefront/api.ts';
import { describeField, toSnakeCase } from '#src/shop/audit-log/describe-field.ts';
import { isRelated, listDifferences } from './merge-changes.ts';
import type { Difference } from './merge-changes.ts';

/** A document that was changed while there are unsaved changes of it. */
export interface DocumentConflict<Value = unknown> {
  /** What was changed: 'this promotion'. */
  readonly what: string;
  /** The value that my changes began with. */
  readonly base: Value;
  readonly mine: Value;
  /** The saved value; null until it is loaded. */
  readonly theirs: Value | null;
  /** What the shop knows about the change; null if it was not asked. */
  readonly known: Conflict | null;
  /** How names of fields in the API begin, unless with those of the form in snake case. */
  readonly names?: Readonly<Record<string, string>> | undefined;
  /** What the reader calls fields whose paths are ids, such as those of variants. */
  readonly labels?: ReadonlyMap<string, string> | undefined;
}

export interface ConflictField {
  readonly label: string;
  /** Whether I changed it too. */
  readonly isMine: boolean;
  /** Short values before and after the change; null if they say little. */
  readonly values: { readonly before: string; readonly after: string; readonly mine: string | null } | null;
}

export interface DescribedConflict {
  readonly title: string;
  readonly notice: string;
  /** If nothing is unsaved. */
  readonly decided: string;
  readonly at: string | null;
  readonly fields: readonly ConflictField[];
}

/** "Rates 1, standard": names of a path. Ids within it say nothing. */
export function describePath(path: string): string {
  const words: string[] = [];
  for (const part of path.split('.')) {
    if (/^\d+$/.test(part)) words.push(`${words.pop() ?? 'Item'} ${Number(part) + 1}`);
    else if (!/\d|-/.test(part)) words.push(describeField(part));
  }
  const [first = '', ...rest] = words;
  return [first, ...rest.map((word) => word.toLowerCase())].join(', ');
}

const MAX_SHOWN = 60;

function showValue(value: unknown): string | null {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string' || value.length > MAX_SHOWN) return null;
  return value.trim() === '' ? 'empty' : value;
}

function showValues({ before, after }: Difference, mine: Difference | undefined): ConflictField['values'] {
  const [from, to] = [showValue(before), showValue(after)];
  if (from === null || to === null) return null;
  return { before: from, after: to, mine: mine === undefined ? null : showValue(mine.after) };
}

/** The API's name of the field at a path of the form. */
function toApiName(path: string, names: DocumentConflict['names']): string {
  const [field = ''] = path.split('.');
  return names?.[field] ?? toSnakeCase(field);
}

/** Fields that they changed, with what became of them: named by the shop, or compared in the browser. */
function listFields({ base, mine, theirs, known, names, labels }: DocumentConflict): readonly ConflictField[] {
  const own = listDifferences(base, mine);
  const changed = theirs === null ? [] : listDifferences(base, theirs);
  const describe = (label: string, all: readonly Difference[], isMine: boolean): ConflictField => {
    const [only] = all;
    const same = own.find(({ path }) => path === only?.path);
    return { label, isMine, values: only === undefined || all.length > 1 ? null : showValues(only, same) };
  };
  const isMine = (all: readonly Difference[]): boolean =>
    all.some(({ path }) => own.some((one) => isRelated(one.path, path)));
  const named = (known?.fields ?? []).map(({ path, label }) => {
    const field = toApiName(path, {});
    // A unit may follow: `minimum` is `minimum_subtotal_cents`.
    const isNamed = (one: Difference): boolean => `${field}_`.startsWith(`${toApiName(one.path, names)}_`);
    const all = changed.filter(isNamed);
    return describe(label, all, all.length > 0 ? isMine(all) : own.some(isNamed));
  });
  const fields =
    named.length > 0
      ? named
      : changed.map((one) => describe(labels?.get(one.path) ?? describePath(one.path), [one], isMine([one])));
  return fields.filter(({ label }, at) => label !== '' && fields.findIndex((one) => one.label === label) === at);
}

/** @param me name of the reader, whose other window may have made the change */
export function describeConflict(conflict: DocumentConflict, me: string | null): DescribedConflict {
  const { what, known } = conflict;
  const by = known?.by ?? null;
  const isMe = by !== null && by === me;
  const changed = `${isMe ? 'You' : (by ?? 'Someone')} changed ${what}${isMe ? ' in another window' : ''}`;
  return {
    title: changed,
    notice: `${changed}. Your changes are still here, but not saved.`,
    decided: `${changed}. The form shows what is saved now.`,
    at: known?.at ?? null,
    fields: listFields(conflict),
  };
}

export const describeValues = ({ before, after, mine }: NonNullable<ConflictField['values']>): string =>
  `From ${before} to ${after}${mine === null ? '' : `, yours is ${mine}`}`;

export const CONFLICT_TEXTS = {
  meanwhile: 'It was saved after you began to edit. Nothing of yours is lost or saved yet.',
  fields: 'What changed',
  alsoMine: 'You changed it too',
  unknown: 'The shop does not know which fields.',
  keepMine: 'Keep mine',
  keepMineMeaning: 'Your fields stay as they are, and all other fields become theirs. Nothing is saved until you save.',
  takeTheirs: 'Take theirs',
  takeTheirsMeaning: 'Your unsaved changes are discarded, and the form shows what is saved.',
  review: 'Compare changes',
  notLoaded: 'What is saved now could not be loaded.',
  tryAgain: 'Try again',
} as const;
