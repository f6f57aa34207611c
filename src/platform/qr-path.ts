import { encode } from 'uqr';

/** A QR code as one path of squares, for drawings that the server makes. */
export function createQrPath(content: string): { readonly size: number; readonly path: string } {
  const { data, size } = encode(content, { ecc: 'M', border: 4 });
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { size, path: squares.join('') };
}
