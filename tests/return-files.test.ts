/** Pictures of a defect, and labels that staff upload, over HTTP. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import sharp from 'sharp';
import { logInAs } from './support/charge-settings.ts';
import { makePicture } from './support/hostile-pictures.ts';
import { listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { openRefundShop } from './support/refund-shop.ts';
import type { RefundShop } from './support/refund-shop.ts';
import { ReturnFileCalls } from './support/return-files.ts';
import type { OpenReturn } from './support/return-files.ts';
import { openReturns } from './support/returns.ts';
import type { ReturnCalls } from './support/returns.ts';
import { runWithShopDatabase } from './support/stock-stress.ts';
import { LABEL_PDF } from './support/upload-picture.ts';
import { waitUntil } from './support/wait-until.ts';

const MB = 1024 * 1024;
const CONDITION = { restocked: 1, damaged: 0, sent_back: 0, condition: '', deduction_usd: 0, deduction_reason: '' };

let shop: RefundShop;
let returns: ReturnCalls;
let files: ReturnFileCalls;
before(async () => {
  shop = await openRefundShop();
  await shop.setStock(50);
  returns = openReturns(shop);
  const owner = await logInAs(shop.shop, 'owner');
  const settings = await shop.shop.api('GET', '/shop/settings', { token: owner });
  const version = numberAt(settings.body, 'returns', 'version');
  const body = { return_address: 'Dock 4', courtesy_days: 30, version };
  assert.equal((await shop.shop.api('PUT', '/shop/settings/returns', { token: owner, body })).status, 200);
  files = new ReturnFileCalls(shop);
});
after(() => shop.shop.stop());

const codeOf = (body: unknown): string => textAt(body, 'error', 'code');
const add = async (opened: OpenReturn, seed: number): Promise<string> => {
  const added = await files.add(opened, opened.buyer, await makePicture('png', { seed }));
  assert.equal(added.status, 201, JSON.stringify(added.body));
  return textAt(added.body, 'id');
};
const readPictures = async ({ id }: OpenReturn): Promise<string[]> =>
  listAt(await returns.read(id), 'return', 'pictures').map((one) => textAt(one, 'id'));
const readVersion = async (id: string): Promise<number> => numberAt(await returns.read(id), 'return', 'version');

test('[RET-05] a return for a defect takes five pictures, and no sixth at once', async () => {
  const opened = await files.open();
  const first = [await add(opened, 1), await add(opened, 2), await add(opened, 3), await add(opened, 4)];
  const [fifth, sixth] = await Promise.all([makePicture('jpeg', { seed: 5 }), makePicture('webp', { seed: 6 })]);
  const both = await Promise.all([files.add(opened, opened.buyer, fifth), files.add(opened, opened.buyer, sixth)]);
  assert.deepEqual(
    both.map(({ status }) => status).toSorted((a, b) => a - b),
    [201, 409],
    JSON.stringify(both),
  );
  const refused = await files.add(opened, opened.buyer, sixth);
  assert.equal(`${refused.status} ${codeOf(refused.body)}`, '409 too-many-pictures');
  const pictures = await readPictures(opened);
  assert.deepEqual(pictures.slice(0, 4), first, 'oldest first');
  assert.equal(pictures.length, 5);
  assert.equal(files.listFiles().length, 10, 'two files each, and none of a refused one');

  // A removed picture leaves its place and its files.
  const path = `/returns/${opened.id}/pictures/${first[1] ?? ''}`;
  assert.equal((await shop.shop.api('DELETE', path, { token: opened.buyer.token })).status, 200);
  assert.equal((await shop.shop.api('DELETE', path, { token: opened.buyer.token })).status, 404);
  await waitUntil(() => files.listFiles(first[1]).length === 0);
  await add(opened, 7);
});

test('[RET-05] a picture is seen by its buyer and staff only, as a JPEG to save', async () => {
  const [opened, other] = [await files.open(), await files.open()];
  const id = await add(opened, 11);
  const path = `/returns/${opened.id}/pictures/${id}`;
  for (const [url, token] of [
    [path, opened.buyer.token],
    [`/support${path}`, shop.staff],
  ] as const) {
    for (const size of ['small', 'large']) {
      const response = await files.download(`${url}?size=${size}`, token);
      assert.equal(response.status, 200, url);
      const headers = ['content-type', 'cache-control', 'x-content-type-options'].map((name) =>
        response.headers.get(name),
      );
      assert.deepEqual(headers, ['image/jpeg', 'no-store', 'nosniff']);
      assert.match(response.headers.get('content-disposition') ?? '', /^attachment; filename="R-[\w-]+\.jpg"$/);
      assert.equal((await sharp(Buffer.from(await response.arrayBuffer())).metadata()).format, 'jpeg');
    }
  }
  assert.equal((await files.download(path)).status, 401);
  assert.equal((await files.download(path, other.buyer.token)).status, 404);
  assert.equal((await files.download(`/support${path}`, opened.buyer.token)).status, 403);
  assert.equal((await shop.shop.api('DELETE', path, { token: other.buyer.token })).status, 404);
  const foreign = await files.add(opened, other.buyer, await makePicture('png'));
  assert.equal(foreign.status, 404);
  // A picture of one return is none of another one.
  const mixed = `/returns/${other.id}/pictures/${id}`;
  assert.equal((await files.download(mixed, other.buyer.token)).status, 404);
  for (const name of files.listFiles(id))
    assert.equal((await files.download(`/images/uploads/${name}`)).status, 404, 'no public URL names it');
});

test('[RET-05] where a picture was taken is removed from it', async () => {
  const opened = await files.open();
  const place = { IFD0: { Make: 'Secret Camera' }, IFD3: { GPSLatitude: '51/1 30/1 0/1', GPSLatitudeRef: 'N' } };
  const plain = sharp(await makePicture('jpeg', { width: 400, height: 300, seed: 21 }));
  const bytes = await plain.withExif(place).withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>').jpeg().toBuffer();
  assert.ok(bytes.includes('Secret Camera'), 'the test can fail');
  const added = await files.add(opened, opened.buyer, bytes);
  assert.deepEqual([numberAt(added.body, 'width'), numberAt(added.body, 'height')], [400, 300]);
  for (const size of ['small', 'large']) {
    const path = `/returns/${opened.id}/pictures/${textAt(added.body, 'id')}?size=${size}`;
    const sent = Buffer.from(await (await files.download(path, opened.buyer.token)).arrayBuffer());
    const { exif, xmp, iptc, width } = await sharp(sent).metadata();
    assert.deepEqual(
      { exif, xmp, iptc, width },
      { exif: undefined, xmp: undefined, iptc: undefined, width: size === 'small' ? 320 : 400 },
    );
    assert.ok(!sent.includes('Secret Camera') && !sent.includes('Exif'));
  }
});

test('[RET-05] what is no picture, or more than 10 MB, is refused', async () => {
  const opened = await files.open();
  const refuse = async (bytes: Buffer): Promise<string> => {
    const { body, status } = await files.add(opened, opened.buyer, bytes);
    return `${status} ${codeOf(body)}`;
  };
  assert.equal(await refuse(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')), '400 unsupported-picture');
  assert.equal(await refuse(LABEL_PDF), '400 unsupported-picture');
  const jpeg = await makePicture('jpeg', { width: 300, height: 200, seed: 31 });
  assert.equal(await refuse(jpeg.subarray(0, jpeg.length / 2)), '400 damaged-picture');
  const padded = (length: number): Buffer => Buffer.concat([jpeg, Buffer.alloc(length - jpeg.length)]);
  assert.equal(await refuse(padded(10 * MB + 1)), '413 too-large');
  assert.equal((await files.add(opened, opened.buyer, padded(10 * MB))).status, 201);
  assert.equal((await readPictures(opened)).length, 1);
});

test('[RET-05] pictures are of a defect, until the items are inspected', async () => {
  const courtesy = await files.open('courtesy');
  const picture = await makePicture('png', { seed: 41 });
  const refused = await files.add(courtesy, courtesy.buyer, picture);
  assert.equal(`${refused.status} ${codeOf(refused.body)}`, '409 not-possible');
  const opened = await files.open();
  const id = await add(opened, 42);
  assert.equal(valueAt(await returns.read(opened.id), 'return', 'pictures_change'), true);
  await returns.receiveAndInspect(opened.id, 1, CONDITION);
  assert.equal(valueAt(await returns.read(opened.id), 'return', 'pictures_change'), false);
  assert.equal((await files.add(opened, opened.buyer, picture)).status, 409);
  const path = `/returns/${opened.id}/pictures/${id}`;
  assert.equal((await shop.shop.api('DELETE', path, { token: opened.buyer.token })).status, 409);
  assert.equal((await files.download(path, opened.buyer.token)).status, 200, 'both still see it');
});

test('[RET-05] [ACC-12] pictures are exported, and erased with the account', async () => {
  const opened = await files.open();
  const id = await add(opened, 51);
  const userId = await returns.readUserId(opened.buyer);
  const { token } = opened.buyer;
  const exported = await shop.shop.api('GET', `/users/${userId}/data`, { token });
  assert.equal(exported.status, 200, JSON.stringify(exported.body));
  assert.ok(JSON.stringify(exported.body).includes(id), 'the export names the picture');
  assert.equal((await returns.step(opened.id, 'refuse', { reason: 'No defect' })).status, 200);
  assert.equal(files.listFiles(id).length, 2);
  const erased = await shop.shop.api('DELETE', `/users/${userId}`, { token, body: { username: opened.buyer.name } });
  assert.equal(erased.status, 200, JSON.stringify(erased.body));
  await waitUntil(() => files.listFiles(id).length === 0);
  assert.deepEqual(await readPictures(opened), []);
});

test('[RET-05] [OPS-26] pictures and labels of old returns are erased', async () => {
  const [old, recent] = [await files.open(), await files.open()];
  const [oldPicture, recentPicture] = [await add(old, 61), await add(recent, 62)];
  assert.equal((await returns.step(old.id, 'approve')).status, 200);
  assert.equal((await files.addLabel(old.id, LABEL_PDF, await readVersion(old.id))).status, 200);
  const pdfsBefore = files.listFiles().filter((name) => name.endsWith('.pdf')).length;
  for (const { id } of [old, recent]) await returns.step(id, 'refuse', { reason: 'No defect' });
  await runWithShopDatabase(shop.shop, async (db) => {
    await sql`update returns set closed_at = closed_at - interval '4 years' where id = ${old.id}`.execute(db);
    await sql`delete from pgboss.job where name = 'hourly'`.execute(db);
  });
  const preview = await shop.shop.api('GET', '/shop/retention', { token: shop.staff });
  assert.equal(numberAt(preview.body, 'messages', 'returns'), 1);
  await shop.shop.restart();
  await waitUntil(() => files.listFiles(oldPicture).length === 0);
  await waitUntil(() => files.listFiles().filter((name) => name.endsWith('.pdf')).length === pdfsBefore - 1);
  assert.equal(files.listFiles(recentPicture).length, 2);
});

test('[RET-05] [RET-06] staff upload a label, which only its buyer downloads', async () => {
  const [opened, other] = [await files.open(), await files.open()];
  const path = `/returns/${opened.id}/label-file`;
  const early = await files.addLabel(opened.id, LABEL_PDF, 1);
  assert.equal(`${early.status} ${codeOf(early.body)}`, '409 not-possible', 'before the approval');
  assert.equal((await returns.step(opened.id, 'approve')).status, 200);
  const first = await files.addLabel(opened.id, LABEL_PDF, 2);
  assert.equal(first.status, 200, JSON.stringify(first.body));
  assert.deepEqual(valueAt(first.body, 'return', 'label_file'), { type: 'application/pdf', bytes: LABEL_PDF.length });
  const outdated = await files.addLabel(opened.id, LABEL_PDF, 2);
  assert.equal(`${outdated.status} ${codeOf(outdated.body)}`, '409 changed-meanwhile');
  for (const [url, token] of [
    [path, opened.buyer.token],
    [`/support${path}`, shop.staff],
  ] as const) {
    const response = await files.download(url, token);
    assert.deepEqual(
      ['content-type', 'cache-control', 'x-content-type-options'].map((name) => response.headers.get(name)),
      ['application/pdf', 'no-store', 'nosniff'],
    );
    assert.match(response.headers.get('content-security-policy') ?? '', /default-src 'none'.*; sandbox$/);
    assert.match(response.headers.get('content-disposition') ?? '', /^attachment; filename="R-[\w-]+-label\.pdf"$/);
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), LABEL_PDF);
  }
  assert.equal((await files.download(path, other.buyer.token)).status, 404);
  assert.equal((await files.download(path)).status, 401);

  // What is no label, or too large, changes nothing.
  const refuse = async (bytes: Buffer): Promise<string> => {
    const { body, status } = await files.addLabel(opened.id, bytes, 3);
    return `${status} ${codeOf(body)}`;
  };
  assert.equal(await refuse(Buffer.from('<html><script>alert(1)</script>%PDF-1.4')), '400 unsupported-picture');
  assert.equal(await refuse(await makePicture('gif')), '400 unsupported-picture');
  assert.equal(await refuse(LABEL_PDF.subarray(0, -8)), '400 damaged-picture', 'an interrupted download');
  assert.equal(await refuse(Buffer.concat([LABEL_PDF, Buffer.alloc(2 * MB)])), '413 too-large');

  // A picture replaces the document, whose file goes.
  const pdfs = () => files.listFiles().filter((name) => name.endsWith('.pdf')).length;
  const count = pdfs();
  const replaced = await files.addLabel(opened.id, await makePicture('png', { seed: 71 }), 3);
  assert.equal(textAt(replaced.body, 'return', 'label_file', 'type'), 'image/jpeg');
  await waitUntil(() => pdfs() === count - 1);
  const removed = await shop.shop.api('DELETE', `/support${path}`, { token: shop.staff, body: { version: 4 } });
  assert.equal(valueAt(removed.body, 'return', 'label_file'), null);
  assert.equal((await files.download(path, opened.buyer.token)).status, 404);
});

test('[RET-06] a label that staff add has one mail and one entry for each change', async () => {
  const { buyer, id, orderId } = await files.open();
  const listMails = async (subject: RegExp): Promise<string[]> =>
    (await shop.listMailsTo(buyer)).filter((mail) => subject.test(mail));
  const waitForLabelMails = (count: number): Promise<void> =>
    waitUntil(async () => (await listMails(/the label is ready/)).length === count);
  const setLink = async (label_url: string): Promise<void> => {
    const body = { version: await readVersion(id), label_url };
    const saved = await shop.shop.api('PUT', `/support/returns/${id}/label`, { token: shop.staff, body });
    assert.equal(saved.status, 200, JSON.stringify(saved.body));
  };
  assert.equal((await returns.step(id, 'approve')).status, 200);
  assert.equal((await files.addLabel(id, LABEL_PDF, 2)).status, 200);
  await waitForLabelMails(1);
  assert.match((await listMails(/the label is ready/))[0] ?? '', /Download the label on the page of your return/);
  assert.equal((await files.addLabel(id, LABEL_PDF, 3)).status, 200, 'replaced');
  await waitForLabelMails(2);

  // A link is named in the mail. Saved again it is no change, and a removed label is not ready.
  await setLink('https://carrier.example/label/7');
  await waitForLabelMails(3);
  assert.match((await listMails(/the label is ready/))[0] ?? '', /https:\/\/carrier\.example\/label\/7/);
  await setLink('https://carrier.example/label/7');
  await setLink('');
  const body = { version: await readVersion(id) };
  const removed = await shop.shop.api('DELETE', `/support/returns/${id}/label-file`, { token: shop.staff, body });
  assert.equal(removed.status, 200);
  // What was sent needs no label.
  assert.equal((await returns.step(id, 'sent', { proof: 'RR 31' })).status, 200);
  await setLink('https://carrier.example/label/8');
  assert.equal((await returns.step(id, 'receive', { position: 0 })).status, 200);
  await waitUntil(async () => (await listMails(/^Return R-.*: received/)).length === 1);
  assert.equal((await listMails(/the label is ready/)).length, 3);
  const { kinds } = await shop.readTimeline(buyer, orderId);
  assert.equal(kinds.filter((kind) => kind === 'return_label_added').length, 4);
  const owner = await logInAs(shop.shop, 'owner');
  const audit = await shop.shop.api('GET', '/support/audit?kind=return', { token: owner });
  const edited = listAt(audit.body, 'entries').filter((one) => textAt(one, 'action') === 'return.edited');
  assert.ok(edited.length >= 4);
});
