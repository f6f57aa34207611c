import { formatStatedAt } from './format-stated-at.ts';

interface AcknowledgedStatement {
  readonly reference: string;
  readonly statedAt: Date;
  readonly timeZone: string;
  readonly statement: string;
}

interface Seller {
  readonly name: string;
  readonly address: string;
  readonly email: string;
}

export const ACKNOWLEDGEMENT = 'Acknowledgement of receipt of a withdrawal';

/** The acknowledgement as the blocks of a PDF: content, date and time of the statement (article 11a(4)). */
export const layOutAcknowledgement = (stated: AcknowledgedStatement, { address, email, name }: Seller) => ({
  title: `Withdrawal ${stated.reference}`,
  author: name,
  language: 'en-US',
  createdAt: stated.statedAt,
  footer: [name, `Withdrawal ${stated.reference}`].filter((text) => text !== '').join(' · '),
  blocks: [
    { kind: 'title', text: ACKNOWLEDGEMENT } as const,
    {
      kind: 'columns',
      columns: [
        { title: 'Received by', lines: [name, address, email].filter((text) => text !== '') },
        {
          title: 'Received',
          lines: [formatStatedAt(stated.statedAt, stated.timeZone), `Reference: ${stated.reference}`],
        },
      ],
    } as const,
    { kind: 'heading', text: 'The statement' } as const,
    ...stated.statement.split('\n').map((text) => ({ kind: 'paragraph', text }) as const),
    {
      kind: 'paragraph',
      text: 'This document says that the shop received the statement, and when. The mail about it says what it covers.',
    } as const,
  ],
});
