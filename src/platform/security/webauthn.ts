/**
 * Passkeys (WebAuthn, level 2): the options for browsers, and the checks of their responses. User
 * verification is preferred, not required: a passkey is used after a password.
 */
/** Whom passkeys are for: they work on pages of this origin only. */
export interface RelyingParty {
  /** Of the public URL, such as https://shop.example. */
  readonly origin: string;
  readonly name: string;
}

export interface StoredPasskey {
  readonly credentialId: Buffer;
  readonly publicKey: Buffer;
  readonly counter: number;
}

interface CredentialJson {
  readonly id: string;
  readonly rawId: string;
  readonly type: 'public-key';
}
/** The JSON of a created PublicKeyCredential. */
export interface RegistrationJson extends CredentialJson {
  readonly response: {
    readonly clientDataJSON: string;
    readonly attestationObject: string;
  };
}
/** The JSON of a used PublicKeyCredential. */
export interface AssertionJson extends CredentialJson {
  readonly response: {
    readonly clientDataJSON: string;
    readonly authenticatorData: string;
    readonly signature: string;
  };
}

/** ES256, Ed25519 and RS256: every authenticator has one of them. */
const ALGORITHMS = [-7, -8, -257];
export const CHALLENGE_SECONDS = 300;

const encode = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
const getDomain = ({ origin }: RelyingParty): string => new URL(origin).hostname;

interface KnownCredential<Transport> {
  readonly credentialId: Buffer;
  readonly transports: readonly Transport[];
}

const toDescriptor = <Transport>({ credentialId, transports }: KnownCredential<Transport>) => ({
  id: encode(credentialId),
  type: 'public-key' as const,
  transports: [...transports],
});

export interface CreationRequest<Transport> {
  readonly party: RelyingParty;
  readonly challenge: Buffer;
  readonly userId: string;
  readonly username: string;
  /** Passkeys that the account has: their authenticators are refused. */
  readonly known: readonly KnownCredential<Transport>[];
}

/** Options of `navigator.credentials.create`, as JSON. */
export const describeCreation = <Transport>({
  party,
  challenge,
  userId,
  username,
  known,
}: CreationRequest<Transport>) => ({
  rp: { id: getDomain(party), name: party.name },
  user: { id: encode(Buffer.from(userId)), name: username, displayName: username },
  challenge: encode(challenge),
  pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: 'public-key' as const })),
  timeout: CHALLENGE_SECONDS * 1000,
  excludeCredentials: known.map(toDescriptor),
  authenticatorSelection: { residentKey: 'preferred' as const, userVerification: 'preferred' as const },
  attestation: 'none' as const,
});

/** Options of `navigator.credentials.get`, as JSON. */
export const describeAssertion = <Transport>(
  party: RelyingParty,
  challenge: Buffer,
  known: readonly KnownCredential<Transport>[],
) => ({
  rpId: getDomain(party),
  challenge: encode(challenge),
  allowCredentials: known.map(toDescriptor),
  timeout: CHALLENGE_SECONDS * 1000,
  userVerification: 'preferred' as const,
});

/** Checks a new passkey. Null if anything is wrong with it. */
export async function verifyCreation(
  party: RelyingParty,
  challenge: Buffer,
  { id, rawId, type, response }: RegistrationJson,
): Promise<StoredPasskey | null> {
  // Loaded with its 20 packages when somebody uses it first.
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  try {
    const { clientDataJSON, attestationObject } = response;
    if (!(await isWithoutCertificates(attestationObject))) return null;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { id, rawId, type, response: { clientDataJSON, attestationObject }, clientExtensionResults: {} },
      expectedChallenge: encode(challenge),
      expectedOrigin: party.origin,
      expectedRPID: getDomain(party),
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!verified) return null;
    const { id: credentialId, publicKey, counter } = registrationInfo.credential;
    return { credentialId: Buffer.from(credentialId, 'base64url'), publicKey: Buffer.from(publicKey), counter };
  } catch {
    return null;
  }
}

/** Certificates of an attestation name addresses that the library would load. No browser sends them when asked for none. */
async function isWithoutCertificates(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers');
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
  const format = attestation.get('fmt');
  return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined);
}

/** The new counter of the passkey; null if signature, challenge, origin or counter is wrong. */
export async function verifyAssertion(
  party: RelyingParty,
  challenge: Buffer,
  { id, rawId, type, response }: AssertionJson,
  { credentialId, publicKey, counter }: StoredPasskey,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  try {
    const { clientDataJSON, authenticatorData, signature } = response;
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId,
        type,
        response: { clientDataJSON, authenticatorData, signature },
        clientExtensionResults: {},
      },
      expectedChallenge: encode(challenge),
      expectedOrigin: party.origin,
      expectedRPID: getDomain(party),
      requireUserVerification: false,
      credential: { id: encode(credentialId), publicKey: Uint8Array.from(publicKey), counter },
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    return null;
  }
}
