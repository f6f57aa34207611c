import type { ActorKind } from './actor.ts';
import type { ChangedFields } from './changed-fields.ts';

/** Kinds of things that staff change. */
export const auditSubjectKinds = [
  'account',
  'api-key',
  'brand',
  'canned-answer',
  'category',
  'chain',
  'content',
  'import',
  'invoice',
  'message',
  'order',
  'picture',
  'product',
  'promotion',
  'refund',
  'report',
  'return',
  'review',
  'settings',
  'team',
  'ticket',
  'variant',
  'webhook',
  'withdrawal',
] as const;
export type AuditSubjectKind = (typeof auditSubjectKinds)[number];

export interface AuditSubject {
  readonly kind: AuditSubjectKind;
  /** Stable id. For settings the name of the group. */
  readonly id: string;
}

/** A subject with the name that people know. The name can be erased. */
export interface NamedSubject extends AuditSubject {
  /** Such as a code, a product or an order number. */
  readonly name?: string;
}

/** The part of an entry that its hash covers. */
export interface HashedEntry {
  /** Position in the log: 1, 2, 3 … */
  readonly id: bigint;
  readonly at: Date;
  readonly actorKind: ActorKind;
  /** The account of a member of staff, or the API key; null for a command. */
  readonly actorId: string | null;
  /** Verb in the past, after the kind of the subject: `promotion.edited`. */
  readonly action: string;
  readonly subject: AuditSubject;
  /** SHA-256 of salt and details. */
  readonly detailsHash: Uint8Array;
  /** Hash of the entry before; zeros for the first. */
  readonly previousHash: Uint8Array;
}

/** What is erased after the retention period. */
export interface AuditDetails extends ChangedFields {
  readonly actorName: string;
  /** Null: the kind and the id say enough. */
  readonly subjectName: string | null;
  /** Client address; null for a command. */
  readonly ip: string | null;
  readonly userAgent: string | null;
  /** SHA-256 of the salted fields about a customer, in hex; they are stored apart. Absent: there are none. */
  readonly customerHash?: string;
}

/** An entry as it is read. */
export interface AuditEntry extends Omit<HashedEntry, 'detailsHash' | 'previousHash'> {
  readonly hash: Uint8Array;
  /** Null: erased. Without the changed fields if they were erased with a customer. */
  readonly details: AuditDetails | null;
  /** The changed fields were erased with a customer. */
  readonly areFieldsErased: boolean;
}

/** The text whose SHA-256 is the hash of an entry. */
export const toHashedText = (entry: HashedEntry): string =>
  JSON.stringify([
    String(entry.id),
    entry.at.toISOString(),
    entry.actorKind,
    entry.actorId,
    entry.action,
    entry.subject.kind,
    entry.subject.id,
    toHex(entry.detailsHash),
    toHex(entry.previousHash),
  ]);

const toHex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
