import type { ReactNode } from 'react';

interface LineArtProps {
  /** Width and height in px. */
  readonly size: number;
  /** Paths in a 24 x 24 view box. */
  readonly children: ReactNode;
}

/** Decorative: hidden from screen readers. */
export function LineArt({ size, children }: LineArtProps) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}
