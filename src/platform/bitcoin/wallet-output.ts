/** What staff paste or upload from a wallet: a signed PSBT or transaction, as text. */
import { isPrivateKeyLike } from './account-key.ts';

export type WalletOutput =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly reason: 'private-key' | 'animated-code' | 'not-a-psbt' };

/** No private key is longer. */
const MAX_SECRET_CHARACTERS = 2_000;
const PSBT_BASE64 = /^cHNidP/;
const HEX = /^(?:[0-9a-f]{2})+$/i;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;
/** Parts of animated codes: BBQr (`B$`, encoding, file type, counts) and UR (BCR-2020-005). */
const ANIMATED = /^(?:B\$[2HZ][A-Z]|ur:[a-z0-9-]+\/)/i;

/** Reads a PSBT in base64 or hex, or a transaction in hex. Whether it is one is checked later. */
export function readWalletOutput(text: string): WalletOutput {
  const trimmed = text.trim();
  if (ANIMATED.test(trimmed)) return { ok: false, reason: 'animated-code' };
  if (!PSBT_BASE64.test(trimmed) && trimmed.length <= MAX_SECRET_CHARACTERS && isPrivateKeyLike(trimmed)) {
    return { ok: false, reason: 'private-key' };
  }
  const joined = trimmed.replaceAll(/\s+/g, '');
  if (HEX.test(joined)) return { ok: true, bytes: Buffer.from(joined, 'hex') };
  return BASE64.test(joined) ? { ok: true, bytes: Buffer.from(joined, 'base64') } : { ok: false, reason: 'not-a-psbt' };
}
