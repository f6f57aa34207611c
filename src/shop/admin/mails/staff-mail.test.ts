import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeContactMail, writeStaffTaskMail, writeTicketMail } from './staff-mail.ts';

const TICKET = {
  title: 'A parcel',
  theme: 'Delivery',
  description: 'It is not here.\n\nWhere is it?',
  username: 'ada',
  email: 'ada@example.com',
  url: 'https://shop.example/admin/tickets/1',
};

test('[OPS-04] mails a new ticket with its title, user and paragraphs', () => {
  const { subject, title, preview, blocks } = writeTicketMail(TICKET);
  assert.equal(subject, 'New ticket: A parcel');
  assert.equal(title, 'ada opened a ticket');
  assert.equal(preview, TICKET.description);
  const texts = blocks.flatMap((block) => (block.kind === 'text' ? [block.text] : []));
  assert.deepEqual(texts.slice(0, 2), ['It is not here.', 'Where is it?']);
  const facts = blocks.flatMap((block) => (block.kind === 'facts' ? block.facts.map(({ value }) => value) : []));
  assert.deepEqual(facts, ['A parcel', 'Delivery', 'ada, ada@example.com']);
  assert.deepEqual(blocks.at(-1), { kind: 'link', label: 'Open ticket', url: TICKET.url });
});

test('[OPS-04] a subject is one line of limited length', () => {
  const { subject } = writeTicketMail({ ...TICKET, title: `one\ntwo ${'x'.repeat(200)}` });
  assert.match(subject, /^New ticket: one two x+…$/);
  assert.equal(subject.length, 120);
});

test('[OPS-04] a contact mail’s subject is one line for any name', () => {
  const writer = {
    lastName: 'x'.repeat(200),
    email: 'ada@example.com',
    message: 'Hello',
    url: 'https://shop.example/admin/messages/1',
  };
  const { subject } = writeContactMail({ ...writer, firstName: 'Ada\r\nBcc: eve@evil.example' });
  assert.match(subject, /^Message from Ada Bcc: eve@evil\.example x+…$/);
  assert.equal(subject.length, 120);
});

test('[OPS-04] [PAGE-02] mails a contact message with its reply address', () => {
  const mail = writeContactMail({
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.com',
    message: 'Do you deliver to Ockham?',
    url: 'https://shop.example/admin/messages/1',
  });
  assert.equal(mail.subject, 'Message from Ada Lovelace');
  assert.deepEqual(mail.blocks, [
    { kind: 'facts', facts: [{ label: 'Reply to', value: 'ada@example.com', isCode: true }] },
    { kind: 'text', text: 'Do you deliver to Ockham?' },
    { kind: 'link', label: 'Answer this message', url: 'https://shop.example/admin/messages/1' },
  ]);
});

test('[OPS-03] [PAY-10] mails a staff task with its title, amounts and link', () => {
  const mail = writeStaffTaskMail({
    number: 'CM-100001',
    need: 'late-rate',
    username: 'ada',
    email: 'ada@example.com',
    dueBtc: '0.00900000',
    receivedBtc: '0.00850000',
    url: 'https://shop.example/admin/orders/1',
  });
  assert.equal(mail.subject, 'Order CM-100001: Paid late, price changed');
  const facts = mail.blocks.flatMap((block) => (block.kind === 'facts' ? block.facts.map(({ value }) => value) : []));
  assert.deepEqual(facts, ['CM-100001', 'ada, ada@example.com', '0.00900000 BTC', '0.00850000 BTC']);
  const links = mail.blocks.flatMap((block) => (block.kind === 'link' ? block.url : []));
  assert.deepEqual(links, ['https://shop.example/admin/orders/1']);
});
