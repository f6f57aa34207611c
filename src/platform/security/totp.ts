/** Codes of authenticator apps: TOTP (RFC 6238) with SHA-1, six digits and steps of 30 seconds. */
import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

/** RFC 4226 recommends 160 bits. */
const SECRET_BYTES = 20;
const STEP_SECONDS = 30;
/** A code is accepted one step early or late, for clocks that differ. */
const WINDOW = 1;

const createTotp = (secret: Uint8Array, label: { readonly issuer?: string; readonly label?: string } = {}): TOTP =>
  new TOTP({
    ...label,
    secret: new Secret({ buffer: Uint8Array.from(secret).buffer }),
    algorithm: 'SHA1',
    digits: 6,
    period: STEP_SECONDS,
  });

export const createTotpSecret = (): Buffer => randomBytes(SECRET_BYTES);

/** The secret as apps take it by hand (base32), and the URI in the QR code. */
export function describeTotpSecret(secret: Uint8Array, { issuer, account }: { issuer: string; account: string }) {
  const totp = createTotp(secret, { issuer, label: account });
  return { text: totp.secret.base32, uri: totp.toString() };
}

/** The time step of a code; null for a wrong one. Steps are numbered from 1970. */
export function findTotpStep(secret: Uint8Array, code: string, now: Date): number | null {
  // The library compares bytes, and throws for other lengths.
  if (!/^\d{6}$/.test(code)) return null;
  const delta = createTotp(secret).validate({ token: code, timestamp: now.getTime(), window: WINDOW });
  return delta === null ? null : Math.floor(now.getTime() / (STEP_SECONDS * 1000)) + delta;
}
