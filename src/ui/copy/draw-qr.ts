import { encode } from 'uqr';

const QUIET_ZONE = 4;

/** A QR code as a single path. */
export interface DrawnQr {
  readonly content: string;
  /** Modules per side, quiet zone included. */
  readonly size: number;
  readonly path: string;
}

/** @param content upper case makes a smaller code if the content allows it */
export function drawQr(content: string): DrawnQr {
  const rows = encode(content, { ecc: 'M', border: QUIET_ZONE }).data;
  const path = rows
    .flatMap((row, y) => {
      const line = row.map((isDark) => (isDark ? '1' : '0')).join('');
      return [...line.matchAll(/1+/g)].map(({ 0: run, index }) => `M${index} ${y}h${run.length}v1h-${run.length}z`);
    })
    .join('');
  return { content, size: rows.length, path };
}
