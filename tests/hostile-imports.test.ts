/** CSV files that made the shop stop: it answers other calls meanwhile, and the import ends with an error. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { formatCsvLine } from '#src/platform/csv/csv-line.ts';
import './support/built-pages.ts';
import { checkCsv, logIn, uploadCsv, waitForState } from './support/imports/upload.ts';
import { listAt, numberAt, textAt } from './support/read-json.ts';
import process from 'node:process';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';
import { waitUntil } from './support/wait-until.ts';

const MAX_ANSWER_MS = 250;

let shop: TestShop;
let staff: string;
before(async () => {
  shop = await startTestShop();
  staff = await logIn(shop, 'staff');
});
after(() => shop.stop());

const HEAD = ['Handle', 'Title', 'Vendor', 'Type', 'Variant Price'];

/** A product with a line for each number, and values of its own in each option. */
function createOptions(options: number, lines: number, handle = 'lamp'): string {
  const names = Array.from({ length: options }, (_, at) => [`Option${at + 1} Name`, `Option${at + 1} Value`]).flat();
  const rows = Array.from({ length: lines }, (_, line) => [
    handle,
    ...(line === 0 ? ['Lamp', 'Acme', 'Lamps'] : ['', '', '']),
    '5.00',
    ...Array.from({ length: options }, (_value, at) => [line === 0 ? `O${at}` : '', `v${line}`]).flat(),
  ]);
  return [[...HEAD, ...names], ...rows].map(formatCsvLine).join('');
}

const HOSTILE = {
  'forty lines with four options': [
    () => createOptions(4, 40),
    /^Its option values have 2560000 combinations\. At most 250 are allowed$/,
  ],
  'sixty lines with three options': [
    () => createOptions(3, 60),
    /^Its option values have 216000 combinations\. At most 250 are allowed$/,
  ],
  'forty thousand lines of one product': [
    () =>
      [HEAD, ...Array.from({ length: 40_000 }, () => ['lamp', 'Lamp', 'Acme', 'Lamps', '5'])]
        .map(formatCsvLine)
        .join(''),
    /^The product has 40000 lines\. At most 1000 are allowed$/,
  ],
  'forty thousand values of one option': [
    () => createOptions(1, 40_000),
    /^The product has 40000 lines\. At most 1000 are allowed$/,
  ],
  'few lines that make many variants': [
    () =>
      Array.from({ length: 2_000 }, (_, at) => createOptions(4, 3, `lamp-${at}`))
        .map((file, at) => (at === 0 ? file : file.slice(file.indexOf('\n') + 1)))
        .join(''),
    /^The file makes more than 150000 variants\. Split it$/,
  ],
  'five megabytes of commas': [() => ','.repeat(5 * 1024 * 1024), /^The line is too long/],
  'five megabytes of commas below the columns': [
    () => formatCsvLine(HEAD) + ','.repeat(5 * 1024 * 1024),
    /^The line is too long/,
  ],
} as const;

/**
 * The most processor time that the shop needs for an answer while the work runs. Other processes of the machine do not
 * count, and a shop that is blocked needs all of it.
 */
async function measureAnswers(work: Promise<unknown>): Promise<number> {
  let [slowestMs, isDone] = [0, false];
  const done = work.finally(() => (isDone = true));
  const probe = async (): Promise<boolean> => {
    const started = process.threadCpuUsage();
    assert.equal((await fetch(`${shop.url}/healthz`)).status, 200);
    const { user, system } = process.threadCpuUsage(started);
    slowestMs = Math.max(slowestMs, (user + system) / 1000);
    return isDone;
  };
  await waitUntil(probe);
  await done;
  return slowestMs;
}

async function check(file: string): Promise<string> {
  const uploaded = await uploadCsv(shop, staff, file);
  assert.equal(uploaded.status, 201, JSON.stringify(uploaded.body));
  const id = textAt(uploaded.body, 'id');
  await waitForState(shop, staff, id, 'refused', 'checked', 'failed');
  return id;
}

for (const [name, [createFile, message]] of Object.entries(HOSTILE)) {
  test(`[OPS-12] answers other calls while it refuses ${name}`, async () => {
    const checking = check(createFile());
    const slowestMs = await measureAnswers(checking);
    const { body } = await shop.api('GET', `/imports/${await checking}/problems`, { token: staff });
    const found = listAt(body, 'problems').map((problem) => textAt(problem, 'message'));
    assert.ok(
      found.some((text) => message.test(text)),
      found.slice(0, 3).join('\n'),
    );
    assert.ok(slowestMs <= MAX_ANSWER_MS, `an answer took ${Math.round(slowestMs)} ms`);
  });
}

test('[OPS-12] checks a hundred thousand lines and lists a thousand errors', async () => {
  const rows = Array.from({ length: 100_000 }, (_, at) => `h${at % 100},Title,Vendor,Type,no price,\n`);
  const { id, found, errors } = await checkCsv(shop, staff, formatCsvLine([...HEAD, 'Image Src']) + rows.join(''));
  assert.deepEqual([textAt(found, 'state'), numberAt(found, 'left_out_products')], ['refused', 100]);
  // A price that is none on each line, and lines of a product that has no options.
  assert.equal(errors, 100_000 + 99_900);
  const { body } = await shop.api('GET', `/imports/${id}/problems?page=40`, { token: staff });
  assert.deepEqual([listAt(body, 'problems').length, numberAt(body, 'total')], [25, 1000]);
});
