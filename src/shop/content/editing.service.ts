/** The merchant's texts as documents that staff edit. */
import type { NamedSubject } from '#src/shop/audit-log/audit-entry.ts';
import { CONTENT_TOPIC } from './service.ts';

/** @param id names the text, such as `home/hero` */
export const describeText = (id: string) => ({
  what: 'this text',
  subject: { kind: 'content', id, ...(id.startsWith('faq/') && { name: 'FAQ question' }) } satisfies NamedSubject,
  topics: [CONTENT_TOPIC],
});
