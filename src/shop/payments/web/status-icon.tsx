import type { ReactNode } from 'react';
import { LineArt } from '#src/ui/graphics/line-art.tsx';

const paths = {
  alert: <path d="M12 4 21 19.5H3L12 4Zm0 6v4.5m0 2.2v.3" />,
  check: <path d="m5 12.5 4.5 4.5L19 7.5" />,
  clock: (
    <>
      <circle cx="12" cy="12" r="9" />
      <path d="M12 7v5.5l3.5 2" />
    </>
  ),
  refresh: <path d="M20 12a8 8 0 0 1-14.5 4.6M4 12a8 8 0 0 1 14.5-4.6M19 3.5v4.2h-4.2M5 20.5v-4.2h4.2" />,
} as const satisfies Record<string, ReactNode>;

interface StatusIconProps {
  readonly name: keyof typeof paths;
  /** Width and height in px. */
  readonly size: number;
}

/** Decorative icon of a status; loaded only by pages that show one. */
export function StatusIcon({ name, size }: StatusIconProps) {
  return <LineArt size={size}>{paths[name]}</LineArt>;
}
