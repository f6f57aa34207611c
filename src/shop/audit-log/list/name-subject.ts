/** The name of an entry's subject, and its page. */
import type { AuditSubject, AuditSubjectKind } from '../audit-entry.ts';
import { describeField } from '../describe-field.ts';
import { findSubjectPath } from './describe-entry.ts';

export interface NamedPage {
  readonly name: string;
  /** Page of the back office; null if there is none. */
  readonly path: string | null;
}

/** Kinds that are looked up, since their entries rarely have a name. */
const FORMATS: Partial<Readonly<Record<AuditSubjectKind, (name: string) => string>>> = {
  account: (username) => username,
  message: (sender) => `Message from ${sender}`,
  order: (number) => `Order ${number}`,
  ticket: (number) => `Ticket #${number}`,
};
/** Names of subjects that have none, where the kind alone would not be clear. */
const GENERAL_NAMES: Partial<Readonly<Record<AuditSubjectKind, string>>> = {
  chain: 'Rescan of blocks',
  settings: 'Carrier',
};
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Ids of groups, such as `low-stock`, say what they are. */
const nameById = ({ kind, id }: AuditSubject): string =>
  UUID.test(id) ? (GENERAL_NAMES[kind] ?? describeField(kind)) : describeField(id);

/**
 * Names a subject by what is known of it today, else as its entry does.
 * @param known what was looked up: number of an order or ticket, name of an account or sender; null: it
 *   does not exist any more
 * @param recorded the name in the entry
 */
export function nameSubject(
  subject: AuditSubject,
  action: string,
  { known, recorded }: { readonly known: string | null; readonly recorded: string | null },
): NamedPage {
  const format = FORMATS[subject.kind];
  if (!format) return { name: recorded ?? nameById(subject), path: findSubjectPath(subject, action) };
  if (known === null) return { name: `${describeField(subject.kind)}, deleted`, path: null };
  return { name: format(known), path: findSubjectPath(subject, action) };
}
