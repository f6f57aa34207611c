import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { inflateSync } from 'node:zlib';
import * as fc from 'fast-check';
import { readPdfText } from '../../../tests/support/read-pdf-text.ts';
import { SeededRandom } from '../../../tests/support/seeded-random.ts';
import { toPrintable } from './break-lines.ts';
import type { PdfDocument } from './pdf-document.ts';
import { loadPdfFonts } from './pdf-fonts.ts';
import { ThreadBusyError, ThreadQueueError } from '#src/platform/process/task-thread.ts';
import { PdfRenderer } from './pdf-renderer.ts';
import { renderPdf } from './render-pdf.ts';

const fonts = loadPdfFonts();
const renderer = new PdfRenderer();
after(() => renderer.stop());

const createDocument = (rows: number, text = 'Ada Ünal, Ελλάδα, Москва'): PdfDocument => ({
  title: 'Invoice INV-2026-000001',
  author: 'Crypto Market',
  language: 'en-US',
  createdAt: new Date('2026-03-01T12:00:00.000Z'),
  footer: 'Crypto Market',
  blocks: [
    { kind: 'title', text: 'Invoice' },
    { kind: 'columns', columns: [{ title: 'Buyer', lines: [text, 'x'.repeat(200)] }] },
    {
      kind: 'table',
      columns: [
        { title: 'Item', width: 3 },
        { title: 'Total', width: 1, isNumber: true },
      ],
      rows: Array.from({ length: rows }, (_, at) => ({ cells: [`Item ${at}\nSKU-${at}`, '$1.00'] })),
    },
    { kind: 'heading', text: 'Payment' },
    { kind: 'paragraph', text: 'Paid.' },
  ],
});

const countMatches = (bytes: Uint8Array, pattern: RegExp): number =>
  [...Buffer.from(bytes).toString('latin1').matchAll(pattern)].length;
const countPages = (bytes: Uint8Array): number => countMatches(bytes, /\/Type\s*\/Page\b(?!s)/g);

test('[OPS-16] renders a tagged PDF with embedded fonts and real text', async () => {
  const pdf = await renderPdf(createDocument(2), fonts);
  assert.equal(pdf.subarray(0, 8).toString('latin1'), '%PDF-1.7');
  for (const part of [
    /\/MarkInfo/g,
    /\/StructTreeRoot/g,
    /\/FontFile2/g,
    /\/ToUnicode/g,
    /\/Lang \(en-US\)/g,
    /\/S \/TH/g,
  ])
    assert.ok(countMatches(pdf, part) > 0, String(part));
  assert.equal(countMatches(pdf, /\/S \/H1/g), 1);
  assert.equal(countMatches(pdf, /\/S \/TR/g), 3);
  assert.equal(countMatches(pdf, /\/S \/TD/g), 4);
});

test('[OPS-16] equal documents give equal bytes', async () => {
  const [direct, first, second] = await Promise.all([
    renderPdf(createDocument(40), fonts),
    renderer.render(createDocument(40), 'ada'),
    renderer.render(createDocument(40), 'ada'),
  ]);
  assert.deepEqual(Buffer.from(first), Buffer.from(second));
  assert.deepEqual(Buffer.from(first), direct);
});

test('[OPS-16] breaks long tables between rows', async () => {
  assert.equal(countPages(await renderPdf(createDocument(3), fonts)), 1);
  const long = await renderPdf(createDocument(100), fonts);
  assert.equal(countPages(long), 5);
  // The header of the table is tagged once.
  assert.equal(countMatches(long, /\/S \/TH/g), 2);
});

const countParagraphs = async (text: string): Promise<number> =>
  countMatches(await renderPdf(createDocument(1, text), fonts), /\/S \/P\b/g);

test('[OPS-16] prints one sign and a note for characters without a font', async () => {
  assert.equal((await countParagraphs('private \uE000')) - (await countParagraphs('private')), 1);
  assert.equal((await countParagraphs('東京')) - (await countParagraphs('Tokyo')), 0);
  const printed = readPdfText(await renderPdf(createDocument(1, 'a\uE000b \u200B\u202E!'), fonts));
  assert.ok(printed.includes('a\uFFFDb !'), printed.join('\n'));
});

/** What is printed from left to right. */
const PRINTED: Readonly<Record<string, string>> = {
  'محمد GmbH 12': 'GmbH 12 دمحم',
  'شركة النور (الرياض)، ١٢٣': '١٢٣ ،(ضايرلا) رونلا ةكرش',
  'سارا ۱۲۳ پژمان': 'نامژپ ۱۲۳ اراس',
  'Levi GmbH (יוסי כהן)': 'Levi GmbH (ןהכ יסוי)',
  'Zu\u0308rich Łukasz': 'Zürich Łukasz',
  สมชาย: 'สมชาย',
  '山田 太郎 ひかり': '山田 太郎 ひかり',
  '张伟 12': '张伟 12',
  陳大文: '陳大文',
  김철수: '김철수',
  'Ռուբեն Գևորգյան': 'Ռուբեն Գևորգյան',
  'გიორგი ბერიძე': 'გიორგი ბერიძე',
  'Ada 🎉 👨‍👩‍👧 🇩🇪': 'Ada 🎉 👨‍👩‍👧 🇩🇪',
  // Signs before their consonant are drawn there.
  'အောင် မြန်မာ': '\u1031\u1021\u102C\u1004\u103A \u103C\u1019\u1014\u103A\u1019\u102C',
  'សុខ ចាន់': 'សុខ ចាន់',
  ಬೆಂಗಳೂರು: 'ಬೆಂಗಳೂರು',
  ଓଡ଼ିଶା: 'ଓଡ଼ିଶା',
};

test('[OPS-16] prints names in any script, in their direction', async () => {
  const names = Object.keys(PRINTED);
  const document = { ...createDocument(1), blocks: names.map((text) => ({ kind: 'paragraph', text }) as const) };
  const pdf = Buffer.from(await renderer.render(document, 'ada'));
  const printed = readPdfText(pdf).join('');
  assert.ok(printed.startsWith(Object.values(PRINTED).join('')), printed);
  assert.ok(pdf.length < 80_000, `${pdf.length} bytes`);
});

test('[OPS-16] stores text from right to left in reading order too', async () => {
  const pdf = await renderPdf(createDocument(1, 'محمد GmbH'), fonts);
  const actual = Buffer.from('\uFEFFمحمد GmbH', 'utf16le').swap16();
  assert.ok(pdf.includes(Buffer.concat([Buffer.from('/ActualText ('), actual])));
});

test('[OPS-16] prints any text', async () => {
  const texts = fc.array(fc.string({ unit: 'binary', maxLength: 20 }), { minLength: 10, maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(texts, async (names) => {
      const blocks = [{ kind: 'columns', columns: [{ title: 'Buyer', lines: names }] }] as const;
      assert.equal(countPages(await renderPdf({ ...createDocument(1), blocks }, fonts)), 1);
    }),
    { numRuns: 3 },
  );
});

/** Renders a document per name, and lists the names in order of completion. */
async function renderFor(clients: readonly string[]) {
  const rendered: string[] = [];
  const results = await Promise.allSettled(
    clients.map(async (client) => {
      await renderer.render(createDocument(1), client);
      rendered.push(client);
    }),
  );
  const refused = results.flatMap((result, at) => (result.status === 'rejected' ? [clients[at]] : []));
  const errors = results.flatMap((result): unknown[] => (result.status === 'rejected' ? [result.reason] : []));
  return { rendered, refused, errors };
}
const repeatName = (name: string, count: number): readonly string[] => Array.from({ length: count }, () => name);

test('[OPS-32] a client with many documents delays another one by one document', async () => {
  const { rendered } = await renderFor([...repeatName('flood', 6), 'other', 'third']);
  assert.deepEqual(rendered.slice(0, 4), ['flood', 'other', 'third', 'flood']);
  assert.equal(rendered.length, 8);
});

test('[OPS-32] refuses a sixth waiting document of a client', async () => {
  const { refused, errors } = await renderFor([...repeatName('flood', 8), 'other']);
  assert.deepEqual(refused, ['flood', 'flood']);
  for (const error of errors) assert.ok(error instanceof ThreadQueueError);
});

test('[OPS-32] when too many documents wait, those of clients with many are refused', async () => {
  const floods = Array.from({ length: 5 }, (_, at) => repeatName(`flood ${at}`, 5)).flat();
  const { rendered, refused, errors } = await renderFor([...floods, 'other']);
  assert.ok(rendered.includes('other'));
  assert.equal(refused.length, 6);
  for (const error of errors) assert.ok(error instanceof ThreadBusyError && !(error instanceof ThreadQueueError));
});

test('[OPS-16] rejects documents in progress when it stops, and starts again', async () => {
  const stopped = new PdfRenderer();
  const rendering = stopped.render(createDocument(1), 'ada');
  await Promise.all([assert.rejects(rendering, /was stopped/), stopped.stop()]);
  assert.equal(countPages(await stopped.render(createDocument(1), 'ada')), 1);
  await stopped.stop();
});

test('[OPS-16] a document that takes too long fails alone', async () => {
  const own = new PdfRenderer({ timeoutMs: 500 });
  const large = own.render(createDocument(1, 'word '.repeat(500_000)), 'ada');
  let isSettled = false;
  const settle = () => {
    isSettled = true;
  };
  const small = own.render(createDocument(1), 'ada').then(settle, settle);
  // Callers respond with 503: on a busy machine every document can take that long.
  await assert.rejects(large, ThreadBusyError);
  await setImmediate();
  assert.equal(isSettled, false);
  await Promise.all([small, own.stop()]);
});

const SCRIPTS = [
  'Arabic',
  'Armenian',
  'Bengali',
  'Devanagari',
  'Ethiopic',
  'Georgian',
  'Gujarati',
  'Gurmukhi',
  'Han',
  'Hangul',
  'Hebrew',
  'Hiragana',
  'Kannada',
  'Khmer',
  'Lao',
  'Malayalam',
  'Myanmar',
  'Oriya',
  'Sinhala',
  'Tamil',
  'Telugu',
  'Thaana',
  'Thai',
];

test('[OPS-16] any letters of a script are printed, whatever marks they have', async () => {
  const random = new SeededRandom(7);
  for (const script of SCRIPTS) {
    const isOfScript = new RegExp(`\\p{Script=${script}}`, 'u');
    const letters = Array.from({ length: 0xffff }, (_, code) => String.fromCodePoint(code)).filter((one) =>
      isOfScript.test(one),
    );
    const words = Array.from({ length: 20 }, () =>
      Array.from({ length: 12 }, () => letters[random.pickBelow(letters.length)] ?? '').join(''),
    );
    const pdf = await renderPdf(createDocument(1, words.join(' ')), fonts);
    assert.equal(countPages(pdf), 1, script);
  }
  assert.equal(countPages(await renderPdf(createDocument(1, 'ਗੁਰਪ੍ਰੀਤ'), fonts)), 1);
});

/** Texts of marked parts, which readers of a PDF copy instead of the glyphs. */
function listActualTexts(pdf: Buffer): string[] {
  const streams = [...pdf.toString('latin1').matchAll(/stream\n([\s\S]*?)\nendstream/g)].map(([, stream = '']) => {
    try {
      return inflateSync(Buffer.from(stream, 'latin1')).toString('latin1');
    } catch {
      return '';
    }
  });
  return streams.flatMap((stream) =>
    [...stream.matchAll(/\/ActualText \(((?:\\[\s\S]|[^\\)])*)\)/g)].map(([, escaped = '']) => {
      const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };
      const bytes = escaped.replaceAll(/\\([\s\S])/g, (_, one: string) => controls[one] ?? one);
      return Buffer.from(bytes.slice(2), 'latin1').swap16().toString('utf16le');
    }),
  );
}

test('[OPS-16] text whose glyphs have another order is copied as it was written', async () => {
  const names = ['น้ำใจ (หลี่)', 'आदित्य शर्मा', 'ភ្នំពេញ', 'အောင် ကျော်', 'কোমল'];
  const document = { ...createDocument(1), blocks: names.map((text) => ({ kind: 'paragraph', text }) as const) };
  assert.deepEqual(listActualTexts(await renderPdf(document, fonts)), names);
});

const readActualTexts = async (text: string): Promise<string[]> =>
  listActualTexts(await renderPdf({ ...createDocument(1), blocks: [{ kind: 'paragraph', text }] }, fonts));

test('[OPS-16] a letter is printed with few marks', async () => {
  assert.deepEqual(await readActualTexts(`x${'\u0301\u0308\u0323'.repeat(20)}y`), ['x\u0323\u0323\u0301y']);
  assert.deepEqual(await readActualTexts(`ส${'\u0E49'.repeat(50)}`), ['ส\u0E49\u0E49']);
  assert.deepEqual(await readActualTexts(`x${'\u0301\u2060'.repeat(50)}y`), ['x\u0301\u0301y']);
  for (const name of ['Nguyễn', 'กำธร น้ำใจ', 'ကျွန်ုပ်', 'བསྒྲུབས', 'שָׁלוֹם', 'مُحَمَّدٌ']) {
    assert.equal(toPrintable(name), name.normalize('NFC'), name);
  }
});

test('[OPS-16] a text of many syllables is printed whole', async () => {
  const syllables = Array.from({ length: 399 }, (_, at) => String.fromCodePoint(0xac00 + at * 28));
  const text = syllables.join('');
  const blocks = (['heading', 'paragraph'] as const).map((kind) => ({ kind, text }));
  const printed = readPdfText(await renderPdf({ ...createDocument(1), blocks }, fonts)).join('');
  assert.ok(printed.startsWith(text + text), printed);
});
