/**
 * Addresses of webhooks may contain secrets. Whoever may not read webhooks sees only their origin. The log stores
 * them whole, since entries never change.
 */
import type { AuditSubjectKind } from '../audit-entry.ts';
import type { AuditValue, ChangedFields } from '../changed-fields.ts';
import { mayUse } from '#src/shop/permissions.ts';

/** Kinds of subjects whose entries contain addresses that this role may not read. */
export const listMaskedKinds = (role: string): readonly AuditSubjectKind[] =>
  mayUse(role, 'integrations') ? [] : ['webhook'];

const MASK = '…';

/** `Orders https://example.com/hook?key=1` is `Orders https://example.com/…`. Texts without an address stay. */
export function maskUrl(text: string): string {
  const start = text.search(/[a-z][a-z\d+.-]*:\/\//i);
  if (start === -1) return text;
  // All that follows may belong to the address. One that was cut is still an address; one that cannot be read is masked.
  const [before, url] = [text.slice(0, start), text.slice(start)];
  return `${before}${URL.canParse(url) ? `${new URL(url).origin}/${MASK}` : MASK}`;
}

function maskValue(value: AuditValue): AuditValue {
  if (typeof value === 'string') return maskUrl(value);
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return value.map(maskValue);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, maskValue(inner)]));
}

const isList = (value: object): value is readonly AuditValue[] => Array.isArray(value);

const maskFields = (fields: ChangedFields['before']): ChangedFields['before'] =>
  fields && Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, maskValue(value)]));

/** The details with all addresses masked. */
export const maskUrls = <Details extends ChangedFields>(details: Details): Details => ({
  ...details,
  before: maskFields(details.before),
  after: maskFields(details.after),
});
