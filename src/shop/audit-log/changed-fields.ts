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
    (name) => JSON.stringify(toAuditValue(before[name])) !== JSON.stringify(toAuditValue(after[name])),
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
