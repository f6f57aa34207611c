/** Pictures of the settings and of the home page: chosen from the library, which keeps what is in use. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import sharp from 'sharp';
import { ICON_SIDES } from '#src/platform/pictures/picture-files.ts';
import './support/built-pages.ts';
import { keysAt, listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { ApiResponse } from './support/api-client.ts';
import type { TestShop } from './support/shop.ts';
import { uploadPicture } from './support/upload-picture.ts';

let shop: TestShop;
let owner: string;
before(async () => {
  shop = await startTestShop();
  const { body } = await shop.api('POST', '/users/login', { body: { username: 'owner', password: 'crypto-market' } });
  owner = textAt(body, 'tokens', 'accessToken');
});
after(() => shop.stop());

interface LibraryPicture {
  readonly id: string;
  readonly path: string;
}
/** A disc on a transparent background, of a colour of its own. */
async function upload(red: number, width = 600, height = 200): Promise<LibraryPicture> {
  const disc = `<svg width="${width}" height="${height}"><circle cx="${width / 2}" cy="${height / 2}" r="80"
    fill="rgb(${red},20,20)"/></svg>`;
  const bytes = await sharp(Buffer.from(disc)).png().toBuffer();
  const { status, body } = await uploadPicture(shop, owner, bytes);
  assert.equal(status, 201, JSON.stringify(body));
  return { id: textAt(body, 'id'), path: textAt(body, 'path') };
}
async function changeIdentity(values: object): Promise<ApiResponse> {
  const { body } = await shop.api('GET', '/shop/settings', { token: owner });
  const read = Object.fromEntries(keysAt(body, 'identity').map((name) => [name, valueAt(body, 'identity', name)]));
  return shop.api('PUT', '/shop/settings/identity', { token: owner, body: { ...read, ...values } });
}
async function changeHero(path: string): Promise<ApiResponse> {
  const { body } = await shop.api('GET', '/content/home', { token: owner });
  const hero = valueAt(body, 'hero', 'body');
  assert.ok(typeof hero === 'object');
  const picture = { path, alt: 'A disc', widths: path.includes('/uploads/') ? [320, 640, 1024, 2048] : [] };
  const version = numberAt(body, 'hero', 'version');
  return shop.api('PUT', '/content/home/hero', {
    token: owner,
    body: { version, is_shown: true, body: { ...hero, picture } },
  });
}
const remove = (id: string): Promise<ApiResponse> => shop.api('DELETE', `/pictures/${id}`, { token: owner });
const read = async (path: string): Promise<Buffer> => {
  const response = await fetch(`${shop.url}${path}`);
  assert.equal(response.status, 200, path);
  return Buffer.from(await response.arrayBuffer());
};
const readPage = async (path: string): Promise<string> => (await read(path)).toString();
const readAlpha = async (bytes: Buffer, at = 0): Promise<number | undefined> => {
  const { data } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return data[at * 4 + 3];
};
async function listUses(id: string): Promise<string[]> {
  const { body } = await shop.api('GET', '/pictures', { token: owner });
  const found = listAt(body, 'pictures').find((one) => textAt(one, 'id') === id);
  return listAt(found, 'uses').map((use) => textAt(use, 'name'));
}

test('[OPS-07] a logo of the library stays transparent on every page', async () => {
  const logo = await upload(200);
  assert.equal((await changeIdentity({ logo_path: logo.path })).status, 200);
  const small = `/api${logo.path.replace('.avif', '-320.avif')}`;
  assert.ok((await readPage('/contact')).includes(`<img src="${small}"`));
  assert.equal(await readAlpha(await read(small)), 0);
  const home = await readPage('/');
  const preview = `/api${logo.path.replace('.avif', '.jpg')}`;
  assert.match(home, new RegExp(`property="og:image" content="http://[^/]+${preview}"`));
  assert.match(home, new RegExp(`"logo":"http://[^/]+${preview}"`));
  assert.deepEqual(await listUses(logo.id), ['Logo of the shop']);
  assert.equal((await remove(logo.id)).status, 409);
  assert.equal((await changeIdentity({ logo_path: null })).status, 200);
  assert.equal((await remove(logo.id)).status, 200);
});

test('[OPS-07] an icon has the square PNG sizes that browsers need', async () => {
  const icon = await upload(201);
  assert.equal((await changeIdentity({ favicon_path: icon.path })).status, 200);
  const stem = `/api${icon.path.replace('.avif', '')}`;
  for (const side of ICON_SIDES) {
    const bytes = await read(`${stem}-icon-${side}.png`);
    const { format, width, height } = await sharp(bytes).metadata();
    assert.deepEqual([format, width, height], ['png', side, side]);
    assert.equal(await readAlpha(bytes), side === 180 ? 255 : 0, `${side}`);
    assert.equal(await readAlpha(bytes, (side / 2) * side + side / 2), 255, 'the disc is in the middle');
  }
  const response = await fetch(`${shop.url}${stem}-icon-32.png`);
  assert.equal(response.headers.get('content-type'), 'image/png');
  assert.match(response.headers.get('cache-control') ?? '', /immutable/);
  const html = await readPage('/contact');
  assert.ok(html.includes(`<link rel="icon" href="${stem}-icon-32.png" sizes="32x32"/>`));
  assert.ok(html.includes(`<link rel="apple-touch-icon" href="${stem}-icon-180.png"/>`));
  assert.deepEqual(valueAt(JSON.parse(await readPage('/manifest.webmanifest')), 'icons'), [
    { src: `${stem}-icon-192.png`, sizes: '192x192', type: 'image/png' },
    { src: `${stem}-icon-512.png`, sizes: '512x512', type: 'image/png' },
  ]);
  assert.deepEqual(await listUses(icon.id), ['Icon of the shop']);
  assert.equal((await changeIdentity({ favicon_path: null })).status, 200);
  assert.equal((await remove(icon.id)).status, 200);
  const hash = icon.path.slice('/images/uploads/'.length, -'.avif'.length);
  assert.deepEqual(
    readdirSync(join(shop.dataDir, 'uploads')).filter((name) => name.startsWith(hash)),
    [],
    'its icons are deleted, too',
  );
});

test('[OPS-07] the hero shows a picture of the library in its widths', async () => {
  const picture = await upload(202, 900, 900);
  const { body } = await shop.api('GET', '/content/home', { token: owner });
  const former = textAt(body, 'hero', 'body', 'picture', 'path');
  assert.equal((await changeHero(picture.path)).status, 200);
  const stem = `/api${picture.path.replace('.avif', '')}`;
  const srcset = `srcSet="${stem}-320.avif 320w, ${stem}-640.avif 640w, ${stem}.avif 1024w, ${stem}-2048.avif 2048w"`;
  assert.ok((await readPage('/')).includes(srcset));
  assert.deepEqual(await listUses(picture.id), ['Hero of the home page']);
  assert.equal(textAt((await remove(picture.id)).body, 'error', 'code'), 'in-use');
  assert.equal((await changeHero(former)).status, 200);
  assert.equal((await remove(picture.id)).status, 200);
});

test('[OPS-07] a picture that is not in the library is refused with its field', async () => {
  const gone = await upload(203);
  assert.equal((await remove(gone.id)).status, 200);
  for (const field of ['logo_path', 'favicon_path']) {
    for (const path of [gone.path, '/favicon.svg', '/api/images/hero.avif']) {
      const { status, body } = await changeIdentity({ [field]: path });
      assert.equal(status, 400, `${field} ${path}`);
      assert.match(textAt(body, 'error', 'fields', field), /library/);
    }
  }
  const { status, body } = await changeHero(gone.path);
  assert.equal(status, 400);
  assert.match(textAt(body, 'error', 'fields', 'body.picture.path'), /not in the picture library/);
});

test('[OPS-07] a picture is deleted or used, never both', async () => {
  for (const red of [210, 211, 212, 213, 214, 215]) {
    const { id, path } = await upload(red);
    const [used, removed] = await Promise.all([
      red % 2 === 0 ? changeIdentity({ logo_path: path }) : changeHero(path),
      remove(id),
    ]);
    assert.deepEqual(
      [used.status, removed.status].toSorted((a, b) => a - b),
      used.status === 200 ? [200, 409] : [200, 400],
    );
  }
});

test('[RET-09] the notice of the legal guarantee is linked before the order, and its file is kept', async () => {
  const changeConsumers = async (values: object): Promise<ApiResponse> => {
    const { body } = await shop.api('GET', '/shop/settings', { token: owner });
    const present = Object.fromEntries(
      keysAt(body, 'consumers').map((name) => [name, valueAt(body, 'consumers', name)]),
    );
    return shop.api('PUT', '/shop/settings/consumers', { token: owner, body: { ...present, ...values } });
  };
  const { id, path } = await upload(77);
  const unknown = await changeConsumers({ guarantee_notice_path: path.replace(/[0-9a-f]{6}/, '000000') });
  assert.equal(unknown.status, 400, JSON.stringify(unknown.body));
  assert.equal((await changeConsumers({ guarantee_notice_path: path })).status, 200);
  const page = await readPage('/legal-guarantee');
  assert.ok(page.includes(path), 'the official file');
  assert.match(page, /within at least two years/);
  const product = await readPage('/catalog/product/iphone-air');
  assert.equal(product.match(/href="\/legal-guarantee"/g)?.length, 2, 'beside the button and in the footer');
  assert.equal((await remove(id)).status, 409);
  assert.equal((await changeConsumers({ sells_to_eu_consumers: false })).status, 200);
  assert.equal((await fetch(`${shop.url}/legal-guarantee`)).status, 404);
  assert.doesNotMatch(await readPage('/catalog/product/iphone-air'), /legal-guarantee/);
  assert.equal((await changeConsumers({ guarantee_notice_path: null })).status, 200);
  assert.equal((await remove(id)).status, 200);
});
