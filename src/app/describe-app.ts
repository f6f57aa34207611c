/** What browsers need to install the shop as an app. */
import type { WebManifest } from '#src/platform/http/web-manifest.ts';
import { isUploadPath, toIconUrl, toPictureUrl } from '#src/shop/pictures/picture-url.ts';
import type { Shop } from './compose.ts';

const PNG = { type: 'image/png' } as const;
const DEMO_ICONS = [
  { src: '/icon-192.png', sizes: '192x192', ...PNG },
  { src: '/icon-512.png', sizes: '512x512', ...PNG },
  { src: '/icon-maskable-512.png', sizes: '512x512', ...PNG, purpose: 'maskable' },
];

/** The web app. Without a name of the shop: the host. */
export function describeApp({ content, shopSettings, demo }: Shop, origin: string): WebManifest {
  const { name, favicon_path: icon } = shopSettings.current.identity;
  const ownIcons = demo === null ? [] : DEMO_ICONS;
  const icons = icon === null ? ownIcons : listAppIcons(icon);
  return { name: name || new URL(origin).host, description: content.description, icons };
}

/** Browsers install an app with PNG icons of these sides only. */
function listAppIcons(icon: string): WebManifest['icons'] {
  if (!isUploadPath(icon)) return [{ src: toPictureUrl(icon), sizes: 'any' }];
  return [192, 512].map((side) => ({ src: toIconUrl(icon, side), sizes: `${side}x${side}`, type: 'image/png' }));
}
