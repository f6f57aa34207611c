/** A value as it is stored in an entry. */
export type AuditValue =
  | string
  | number
  | boolean
  | null
  | readonly AuditValue[]
  | { readonly [key: string]: AuditValue };

/** Fields as the services have them. Amounts are bigint, instants are Date. */
export type AuditFields = Readonly<Record<string, unknown>>;

export interface ChangedFields {
  /** Null: the subject was created. */
  readonly before: Readonly<Record<string, AuditValue>> | null;
  /** Null: the subject was deleted. */
  readonly after: Readonly<Record<string, AuditValue>> | null;
}

/** Longest text of a value. Longer ones, such as terms, end with "… (N characters)". */
const MAX_TEXT = 2_000;

const SHORTENED = /… \(\d+ characters\)$/;

/**
 * Names of the fields that differ after several changes in a row, the first of which is the oldest. A field that has its
 * former value again does not, unless the log has only the beginning of that value.
 */
export function findNetChanges(changes: readonly ChangedFields[]): readonly string[] {
  const spans = new Map<string, { readonly first: AuditValue; last: AuditValue; changes: number }>();
  for (const { before, after } of changes) {
    for (const name of Object.keys({ ...before, ...after })) {
      const [old, present] = [before?.[name] ?? null, after?.[name] ?? null];
      const span = spans.get(name) ?? { first: old, last: present, changes: 0 };
      spans.set(name, { first: span.first, last: present, changes: span.changes + 1 });
    }
  }
  return [...spans.keys()].filter((name) => {
    const { first = null, last = null, changes: count = 0 } = spans.get(name) ?? {};
    const isOpen = count === 1 || (typeof last === 'string' && SHORTENED.test(last));
    return isOpen || !isEqual(first, last);
  });
}

/**
 * The fields that differ, before and after. A created or deleted subject has all its fields.
 * Undefined values are left out; they equal a missing field.
 */
export function findChangedFields(before: AuditFields | null, after: AuditFields | null): ChangedFields {
  if (before === null || after === null) {
    return { before: before && encodeFields(before), after: after && encodeFields(after) };
  }
  const [old, present] = [encodeFields(before), encodeFields(after)];
  const names = [...new Set([...Object.keys(old), ...Object.keys(present)])].filter(
    (name) => !isEqual(toAuditValue(before[name]), toAuditValue(after[name])),
  );
  const select = (fields: Readonly<Record<string, AuditValue>>) =>
    Object.fromEntries(names.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])));
  return { before: select(old), after: select(present) };
}

const encodeFields = (fields: AuditFields): Readonly<Record<string, AuditValue>> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, shorten(toAuditValue(value))]],
    ),
  );

function toAuditValue(value: unknown): AuditValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(toAuditValue);
  if (typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, inner]) => (inner === undefined ? [] : [[name, toAuditValue(inner)]])),
    );
  }
  throw new TypeError(`an audit entry can't hold a ${typeof value}`);
}

/** The database returns the members of stored JSON in an order of its own. */
const isEqual = (a: AuditValue, b: AuditValue): boolean =>
  JSON.stringify(sortMembers(a)) === JSON.stringify(sortMembers(b));

function sortMembers(value: AuditValue): AuditValue {
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return value.map(sortMembers);
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, inner]) => [name, sortMembers(inner)]));
}

const isList = (value: AuditValue): value is readonly AuditValue[] => Array.isArray(value);

function shorten(value: AuditValue): AuditValue {
  if (typeof value === 'string') {
    return value.length <= MAX_TEXT
      ? value
      : `${value.slice(0, MAX_TEXT).toWellFormed()}… (${String(value.length)} characters)`;
  }
  const text = JSON.stringify(value);
  return text.length <= MAX_TEXT
    ? value
    : `${text.slice(0, MAX_TEXT).toWellFormed()}… (${String(text.length)} characters)`;
}
