/** Text of the daily mail to owners with the newest hash of the audit log. */
import { formatNumber } from '#src/shop/format-number.ts';
import type { MailContents } from '#src/shop/notifications/render-mail.ts';

export interface AuditHashFacts {
  /** Number of the newest entry. */
  readonly entryId: number;
  /** Of that entry, in hex. */
  readonly hash: string;
}

export function writeAuditHashMail({ entryId, hash }: AuditHashFacts): MailContents {
  const entries = entryId === 1 ? '1 entry' : `${formatNumber(entryId)} entries`;
  return {
    subject: `Audit log: ${entries}`,
    title: 'The newest hash of the audit log',
    preview: `The audit log has ${entries}.`,
    blocks: [
      {
        kind: 'text',
        text: `The audit log has ${entries}. Keep this mail: with the hash of the newest entry you can prove later that none of them was changed or removed.`,
      },
      { kind: 'facts', facts: [{ label: 'Hash', value: hash, isCode: true }] },
      { kind: 'text', text: 'To check the log against it, run this command on the server:' },
      {
        kind: 'facts',
        facts: [{ label: 'Command', value: `npm run audit -- verify --expect ${hash}`, isCode: true }],
      },
    ],
    reason: 'You get this mail because you are an owner of the shop, at most once a day and only after changes.',
  };
}
