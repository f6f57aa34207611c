import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { parseMail, SmtpServer } from '../../../tests/support/smtp-server.ts';
import type { SmtpBehaviour } from '../../../tests/support/smtp-server.ts';
import { parseSmtpUrl, createSmtpTransport } from './smtp-transport.ts';
import type { DeliveryResult, Mail } from './smtp-transport.ts';

const server = new SmtpServer();
before(() => server.listen());
beforeEach(() => {
  server.behaviour = {};
  server.received.length = 0;
});
after(() => server.close());

const from = { name: 'Crypto Market', address: 'no-reply@shop.example' };
const mail: Mail = {
  to: 'ada@buyer.example',
  subject: 'Order CM-100001: 0.009000 BTC to pay',
  text: 'Grüße, Ada.\n.\n.. two dots\nhttps://shop.example/pay/abc?a=b',
  html: '<p>Grüße, <b>Ada</b>.</p>',
};
/** Short enough for a test with a stalled server, long enough for a slow machine. */
const getTimeoutMs = (): number => (server.behaviour.stallsAt === undefined ? 60_000 : 300);
const send = (change: Partial<Mail> = {}, event = 'order.1.made', url = server.url): Promise<DeliveryResult> =>
  createSmtpTransport({ url, getSender: () => from, responseTimeoutMs: getTimeoutMs() }).send(event, {
    ...mail,
    ...change,
  });
const sendTo = (behaviour: SmtpBehaviour): Promise<DeliveryResult> => {
  server.behaviour = behaviour;
  return send();
};

test('a mail arrives as it was written, in plain text and in HTML', async () => {
  assert.deepEqual(await send(), { ok: true });
  const [taken] = server.received;
  assert.ok(taken);
  assert.deepEqual([taken.from, taken.to], ['no-reply@shop.example', ['ada@buyer.example']]);
  const { headers, parts } = parseMail(taken.raw);
  assert.deepEqual(headers.get('from'), ['Crypto Market <no-reply@shop.example>']);
  assert.deepEqual(headers.get('to'), ['ada@buyer.example']);
  assert.deepEqual(headers.get('subject'), [mail.subject]);
  assert.deepEqual(headers.get('message-id'), ['<order.1.made@shop.example>']);
  assert.deepEqual(headers.get('auto-submitted'), ['auto-generated']);
  assert.match(headers.get('content-type')?.[0] ?? '', /^multipart\/alternative;/);
  assert.equal(parts.get('text/plain')?.replaceAll('\r\n', '\n').trim(), mail.text);
  assert.equal(parts.get('text/html')?.trim(), mail.html);
});

test('the same event always has the same Message-ID', async () => {
  await send({}, 'order.7.paid');
  await send({ subject: 'again' }, 'order.7.paid');
  const ids = server.received.map(({ raw }) => parseMail(raw).headers.get('message-id')?.[0]);
  assert.deepEqual(ids, ['<order.7.paid@shop.example>', '<order.7.paid@shop.example>']);
});

test('texts in subject or event cannot inject a header', async () => {
  const subject = 'Sale\r\nBcc: eve@evil.example\r\n\r\n<b>body</b>\u0000\u2028X-Evil: 1 — ü'.repeat(3);
  await send({ subject }, 'a>\r\nBcc: eve@evil.example\r\n');
  const [taken] = server.received;
  assert.ok(taken);
  assert.deepEqual(taken.to, ['ada@buyer.example']);
  const { headers, parts } = parseMail(taken.raw);
  const known = ['from', 'to', 'subject', 'message-id', 'date', 'mime-version', 'content-type', 'auto-submitted'];
  assert.deepEqual([...headers.keys()].toSorted(), known.toSorted());
  for (const values of headers.values()) assert.equal(values.length, 1);
  assert.deepEqual(headers.get('message-id'), ['<a%3E%0D%0ABcc%3A%20eve%40evil.example%0D%0A@shop.example>']);
  await send({ subject: 'one\r\ntwo\u2028three\u0000' });
  assert.deepEqual(parseMail(server.received[1]?.raw ?? '').headers.get('subject'), ['one two three']);
  assert.equal(parts.get('text/html')?.trim(), mail.html);
});

test('a refusal of the mail is final and contains no address', async () => {
  const unknown = await sendTo({ replies: { RCPT: '550 5.1.1 <ada@buyer.example> unknown here' } });
  assert.ok(!unknown.ok);
  assert.match(unknown.reason, /^EENVELOPE RCPT TO 550 5\.1\.1 .*unknown here$/);
  assert.doesNotMatch(unknown.reason, /buyer/);
  assert.equal((await sendTo({ replies: { '.': '554 5.7.1 spam' } })).ok, false);
  assert.equal((await sendTo({ replies: { DATA: '552 too large' } })).ok, false);
  assert.equal(server.received.length, 0);
});

test('temporary failures throw: busy, away, cut, silent, refused login', async () => {
  const passing: Readonly<Record<string, SmtpBehaviour>> = {
    '421 come back later': { replies: { HELLO: '421 come back later' } },
    '554 no service': { replies: { HELLO: '554 no service' } },
    '550 sender': { replies: { MAIL: '550 sender' } },
    '450 mailbox busy': { replies: { RCPT: '450 mailbox busy' } },
    '451 try again': { replies: { '.': '451 try again' } },
    'cut at HELLO': { cutsAt: 'HELLO' },
    'cut at .': { cutsAt: '.' },
    'silent at HELLO': { stallsAt: 'HELLO' },
    'silent at RCPT': { stallsAt: 'RCPT' },
    'silent at .': { stallsAt: '.' },
  };
  for (const [name, behaviour] of Object.entries(passing)) {
    await assert.rejects(sendTo(behaviour), /^Error: the mail could not be handed over: E[A-Z]+/, name);
  }
  await assert.rejects(send({}, 'x', 'smtp://127.0.0.1:9'), /ECONNREFUSED|ESOCKET|ECONNECTION/);
  // The server that closed the connection has the mail: the Message-ID identifies the second copy.
  assert.equal(server.received.length, 1);
  assert.deepEqual(await sendTo({}), { ok: true });
});

test('a password requires TLS except on loopback; no error contains it', async () => {
  const other = parseSmtpUrl('smtp://shop:s3cret@mail.shop.example');
  assert.deepEqual([other.host, other.port, other.secure, other.requireTLS], ['mail.shop.example', 587, false, true]);
  const secure = parseSmtpUrl('smtps://shop:s3cret@mail.shop.example');
  assert.deepEqual([secure.port, secure.secure], [465, true]);
  assert.equal(parseSmtpUrl('smtp://[::1]:25').host, '::1');
  const url = server.url.replace('smtp://', 'smtp://shop:s3cret%40word@');
  server.behaviour = { replies: { EHLO: '250-mail.test\r\n250 AUTH PLAIN', AUTH: '535 5.7.8 wrong' } };
  await assert.rejects(send({}, 'x', url), (error: Error) => {
    assert.match(error.message, /EAUTH/);
    assert.doesNotMatch(error.message, /s3cret|c2hvc/);
    return true;
  });
  server.behaviour = { replies: { EHLO: '250-mail.test\r\n250 AUTH PLAIN', AUTH: '235 welcome' } };
  assert.deepEqual(await send({}, 'x', url), { ok: true });
});
