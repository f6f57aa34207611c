/** Shows every kind of button on an empty page, since no page of the shop has all of them. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ComponentType, ReactNode } from 'react';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { createServer } from 'vite';
import '../support/own-process.ts';
import { openPage } from '../support/browser.ts';

const VARIANTS = ['primary', 'secondary', 'tertiary', 'quaternary'] as const;
const WIDTHS = ['full', 'auto', 'max'] as const;
const COLUMN_PX = 640;

interface ButtonProps {
  readonly variant: string;
  readonly width: string;
  readonly children?: ReactNode;
}

const vite = await createServer({
  configFile: false,
  server: { middlewareMode: true, hmr: false, ws: false },
  appType: 'custom',
  logLevel: 'error',
  optimizeDeps: { noDiscovery: true },
  cacheDir: 'node_modules/.cache/vite-buttons',
});
let html = '';
before(async () => {
  const sheets = ['styles/tokens.css', 'styles/base.css', 'controls/button.module.css'];
  const styles = await Promise.all(
    sheets.map(async (path) => (await vite.ssrLoadModule(`/src/ui/${path}?inline`))['default'] as unknown),
  );
  const loaded: unknown = (await vite.ssrLoadModule('/src/ui/controls/button.tsx'))['Button'];
  if (!isButton(loaded)) throw new Error('button.tsx has no Button');
  const buttons = VARIANTS.flatMap((variant) =>
    WIDTHS.map((width) => renderToStaticMarkup(createElement(loaded, { variant, width }, `${variant} ${width}`))),
  );
  html = `<!doctype html><html lang="en"><head><title>Buttons</title><style>${styles.join('\n')}</style></head>
    <body><main style="width: ${COLUMN_PX}px"><h1>Buttons</h1>${buttons.join('\n')}</main></body></html>`;
});
after(() => vite.close());

const isButton = (value: unknown): value is ComponentType<ButtonProps> => typeof value === 'function';

test('[LAY-13] buttons have four variants and three widths', async () => {
  const { page, close } = await openPage({ url: 'http://localhost' });
  await page.setContent(html);
  const looks = new Set<string>();
  for (const variant of VARIANTS) {
    const widths = new Map<string, number>();
    for (const width of WIDTHS) {
      const button = page.getByRole('button', { name: `${variant} ${width}`, exact: true });
      const box = await button.boundingBox();
      assert.ok(box && box.height >= 44, 'the button is at least 44 px high');
      widths.set(width, Math.round(box.width));
    }
    assert.equal(widths.get('full'), COLUMN_PX);
    assert.equal(widths.get('max'), 320);
    assert.ok((widths.get('auto') ?? COLUMN_PX) < 200, variant);
    looks.add(
      await page.getByRole('button', { name: `${variant} auto`, exact: true }).evaluate((button) => {
        const { backgroundColor, borderTopColor, color } = getComputedStyle(button);
        return [backgroundColor, borderTopColor, color].join(' / ');
      }),
    );
  }
  assert.equal(looks.size, VARIANTS.length, [...looks].join('\n'));
  await close();
});
