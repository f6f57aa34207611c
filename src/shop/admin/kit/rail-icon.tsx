import type { ReactNode } from 'react';
import { LineArt } from '#src/ui/graphics/line-art.tsx';

const paths = {
  account: (
    <>
      <circle cx="12" cy="8.5" r="3.5" />
      <path d="M5 20c.8-3.6 3.6-5.4 7-5.4s6.2 1.8 7 5.4" />
    </>
  ),
  bell: <path d="M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 1.5h-15zM10 20.5h4" />,
  customers: (
    <>
      <circle cx="9" cy="8.5" r="3.5" />
      <path d="M2.5 20c.6-3.6 3.2-5.4 6.5-5.4s5.9 1.8 6.5 5.4M15.5 5.2a3.5 3.5 0 0 1 0 6.6M18 15.3c1.9.8 3.1 2.4 3.5 4.7" />
    </>
  ),
  home: <path d="M4 11 12 4l8 7v9h-5.5v-5.5h-5V20H4v-9Z" />,
  inventory: <path d="M12 3 4 7v10l8 4 8-4V7l-8-4ZM4 7l8 4 8-4M12 11v10M8 5l8 4" />,
  marketing: <path d="M4 10v4h3l9 4.5v-13L7 10H4ZM7 14l1.5 5.5h2.5L9.7 15.3M19 9.5a3.5 3.5 0 0 1 0 5" />,
  more: <path d="M5 12h.01M12 12h.01M19 12h.01" strokeWidth="3" />,
  orders: <path d="M6 3h12v18l-3-2-3 2-3-2-3 2V3ZM9.5 8h5M9.5 12h5" />,
  products: (
    <>
      <path d="M4 4h8l8.5 8.5-8 8L4 12V4Z" />
      <circle cx="8.3" cy="8.3" r="1.2" />
    </>
  ),
  reports: <path d="M4 20h16M6.5 20v-6M12 20V5M17.5 20v-9" strokeWidth="2" />,
  settings: (
    <path d="M4 7h9m5 0h2M4 17h2m5 0h9M15.5 4.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5ZM8.5 14.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5Z" />
  ),
  shop: <path d="M14 4h6v6M20 4l-9 9M17 13.5V20H4V7h6.5" />,
  support: <path d="M4 5h16v11.5h-8L7.5 20v-3.5H4V5ZM8 9.5h8M8 12.5h5" />,
} as const satisfies Record<string, ReactNode>;

export type RailIconName = keyof typeof paths;

/** An icon of the back office. Not in the shop's set, which every buyer loads. */
export function RailIcon({ name, size = 20 }: { readonly name: RailIconName; readonly size?: number }) {
  return <LineArt size={size}>{paths[name]}</LineArt>;
}
