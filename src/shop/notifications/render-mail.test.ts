import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { renderMail } from './render-mail.ts';
import type { MailBlock, MailContents } from './render-mail.ts';

const frame = {
  shopName: 'Shop & Co',
  shopAddress: '45 Elm Street',
  shopUrl: 'https://shop.example',
  markUrl: null,
  footer: '',
};
const words: MailContents = {
  subject: 'Order <1>',
  title: 'Your order',
  preview: 'Please pay',
  reason: 'Because you ordered.',
  blocks: [
    { kind: 'text', text: 'Hello "Ada" & <b>Bob</b>' },
    {
      kind: 'facts',
      facts: [
        { label: 'Amount', value: '0.01 BTC' },
        { label: 'Address', value: 'bc1q', isCode: true },
      ],
    },
    { kind: 'link', label: 'Pay', url: 'https://shop.example/pay/abc?a=1&b=2', isToPay: true },
    {
      kind: 'lines',
      lines: [{ name: '2 × Cable', detail: 'Colour: red', amount: '$3.00' }],
      totals: [{ name: 'Total', detail: '', amount: '$3.00' }],
    },
  ],
};

test('the plain text has every block on lines of its own', () => {
  assert.equal(
    renderMail(words, frame).text,
    [
      'Your order\n',
      'Hello "Ada" & <b>Bob</b>\n',
      'Amount: 0.01 BTC\nAddress: bc1q\n',
      'Pay:\nhttps://shop.example/pay/abc?a=1&b=2\n',
      '2 × Cable (Colour: red): $3.00\nTotal: $3.00\n',
      '-- \nShop & Co, 45 Elm Street\nhttps://shop.example\nBecause you ordered.\n',
    ].join('\n'),
  );
});

test('the HTML has the same content, escaped, with no pictures but those that it names', () => {
  const { html } = renderMail(words, frame);
  assert.ok(html.includes('Hello &quot;Ada&quot; &amp; &lt;b&gt;Bob&lt;/b&gt;'));
  assert.ok(html.includes('href="https://shop.example/pay/abc?a=1&amp;b=2"'));
  assert.ok(html.includes('<title>Order &lt;1&gt;</title>'));
  assert.doesNotMatch(html, /<(?:script|img|link|iframe|form|object|b)\b|\bon\w+=|url\(|@import|src=/);
});

test('the HTML shows the mark of the shop and a picture of each product', () => {
  const pictureUrl = 'https://shop.example/api/images/uploads/a.jpg?a=1&b=2';
  const blocks: MailBlock[] = [
    {
      kind: 'lines',
      lines: [
        { name: '1 × Phone', detail: '', amount: '$9.00', pictureUrl },
        { name: '1 × Cable', detail: '', amount: '$1.00' },
      ],
      totals: [{ name: 'Total', detail: '', amount: '$10.00' }],
    },
  ];
  const { html, text } = renderMail({ ...words, blocks }, { ...frame, markUrl: 'https://shop.example/mark.png' });
  const pictures = [...html.matchAll(/<img src="([^"]*)"[^>]* alt="([^"]*)"/g)].map(([, url, alt]) => [url, alt]);
  assert.deepEqual(pictures, [
    ['https://shop.example/mark.png', ''],
    ['https://shop.example/api/images/uploads/a.jpg?a=1&amp;b=2', ''],
  ]);
  assert.doesNotMatch(text, /uploads|mark\.png/);
});

test('a mail has one button: its first link', () => {
  const links = ['pay', 'order'].map((name): MailBlock => ({
    kind: 'link',
    label: name,
    url: `https://a.example/${name}`,
  }));
  const { html } = renderMail({ ...words, blocks: links }, frame);
  assert.equal([...html.matchAll(/class="button"/g)].length, 1);
  assert.match(html, /class="button"[^>]*><a href="https:\/\/a.example\/pay"/);
  assert.match(html, /<a class="ink" href="https:\/\/a.example\/order"[^>]*>order<\/a>/);
});

const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</style></title><svg/onload=1>',
  '<!--',
  ']]>',
  '&lt;b&gt;',
  '\u202e\u0000\ud800',
  '$&$1$`',
];

/** Elements and attributes of a page, which text must not change, except that short words with a hyphen are kept whole. */
const parseStructure = (html: string): readonly string[] =>
  [...html.replaceAll(/<span style="white-space:nowrap">([^<]*)<\/span>/g, '$1').matchAll(/<[^>]*>/g)].map(([tag]) =>
    tag.replaceAll(/(\s(?:href|src))="[^"]*"/g, '$1'),
  );

const createBlocks = (text: string): MailBlock[] => [
  { kind: 'text', text },
  { kind: 'facts', facts: [{ label: text, value: text, isCode: true }] },
  { kind: 'link', label: text, url: `https://shop.example/${text}` },
  { kind: 'lines', lines: [{ name: text, detail: `x${text}`, amount: text }], totals: [] },
];

const renderHtml = (text: string): string =>
  renderMail(
    { subject: text, title: text, preview: text, reason: text, blocks: createBlocks(text) },
    {
      shopName: `Shop ${text}`,
      shopAddress: text,
      shopUrl: text,
      markUrl: text,
      footer: `Open ${text.replaceAll('\n', ' ')}`,
    },
  ).html;

test('text of users adds no elements or attributes to the HTML', () => {
  const hostile = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'grapheme' }));
  const expected = parseStructure(renderHtml('plain'));
  fc.assert(fc.property(hostile, (text) => assert.deepEqual(parseStructure(renderHtml(text)), expected)));
});

test('[OPS-07] a mail ends with the shop’s own lines, or without any', () => {
  const contents = { subject: 's', title: 't', preview: 'p', reason: 'Because you ordered.', blocks: [] };
  const bare = { shopName: '', shopAddress: '', shopUrl: 'https://shop.example', markUrl: null, footer: '' };
  const unnamed = renderMail(contents, bare);
  assert.equal(unnamed.text, 't\n\n-- \nhttps://shop.example\nBecause you ordered.\n');
  assert.match(unnamed.html, />shop\.example<\/span><\/a>[\s\S]*Because you ordered\.<\/td>/);
  const own = renderMail(contents, { ...bare, shopName: 'Bits', footer: 'Reg. 1\n\nTax 2\n' });
  assert.equal(own.text, 't\n\n-- \nBits\nReg. 1\nTax 2\nhttps://shop.example\nBecause you ordered.\n');
  assert.match(own.html, /Because you ordered\.<br>Bits<br>Reg\. 1<br>Tax 2<\/td>/);
});

test('[LAY-19] order numbers and short words do not break at their hyphen', () => {
  const text = 'Your order (CM-100001) & a long-term <b>x-y</b> plan';
  const { html, text: plain } = renderMail(
    { ...words, title: 'Order CM-100001', blocks: [{ kind: 'text', text }] },
    frame,
  );
  const listed = [...html.matchAll(/<span style="white-space:nowrap">([^<]*)<\/span>/g)].map(([, word]) => word);
  assert.deepEqual(listed, ['CM-100001', '(CM-100001)', 'long-term']);
  assert.ok(plain.includes(text));
});
