/** Larger files are refused before they are read: the shop takes a million characters. */
export const MAX_SIGNED_FILE_BYTES = 500_000;

const isText = (bytes: Uint8Array): boolean =>
  bytes.every((byte) => (byte >= 0x20 && byte < 0x7f) || byte === 0x0a || byte === 0x0d);
const isBinaryPsbt = ([p, s, b, t, end]: Uint8Array): boolean =>
  p === 0x70 && s === 0x73 && b === 0x62 && t === 0x74 && end === 0xff;

/** The text form of what a wallet saved: a binary PSBT as base64, a binary transaction as hex, text as it is. */
export function toSignedText(bytes: Uint8Array): string {
  if (isText(bytes)) return new TextDecoder().decode(bytes).trim();
  if (!isBinaryPsbt(bytes)) return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return btoa([...bytes].map((byte) => String.fromCodePoint(byte)).join(''));
}
