/** The bars above every page. Called by the root loader, so their texts are not in the browser's scripts. */
import type { ShopDescription } from '#src/shop/shop-settings/contract.ts';
import type { TopBar } from '../shop-identity.ts';
import type { Demo } from './demo-bar.tsx';

/** In demo mode: where to pay and to read mails. */
function createDemoBar({ hasWallet }: Demo): TopBar {
  const wallet = hasWallet
    ? [{ text: 'Pay with the ' }, { text: 'demo wallet', to: '/dev/wallet' }, { text: ', read ' }]
    : [];
  const parts = [
    ...wallet,
    { text: hasWallet ? 'the ' : 'Read the ' },
    { text: 'mailbox', to: '/dev/mail' },
    { text: '.' },
  ];
  return { label: 'About this demo', parts: [{ text: 'Demo shop. ' }, ...parts] };
}

function createAnnouncement({ link, text }: NonNullable<ShopDescription['announcement']>): TopBar {
  return { label: 'Announcement', parts: [link === '' ? { text } : { text, to: link }] };
}

export const listBars = (announcement: ShopDescription['announcement'], demo: Demo | null): TopBar[] => [
  ...(demo === null ? [] : [createDemoBar(demo)]),
  ...(announcement === null ? [] : [createAnnouncement(announcement)]),
];
