/** A passkey without a device: ES256, attestation "none". It signs whatever a test asks for. */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

export interface SignRequest {
  /** What the browser reports. */
  readonly origin: string;
  readonly domain: string;
  /** As in the options, base64url. */
  readonly challenge: string;
  readonly counter?: number;
}

const USER_PRESENT = 0x01;
const HAS_CREDENTIAL = 0x40;

const sha256 = (bytes: string | Buffer): Buffer => createHash('sha256').update(bytes).digest();
const encode = (bytes: Buffer | string): string => Buffer.from(bytes).toString('base64url');

// ---- CBOR, as far as an attestation needs it

function encodeHead(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 0xff]);
}
type Cbor = number | string | Buffer | readonly (readonly [Cbor, Cbor])[];

function encodeCbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? encodeHead(1, -1 - value) : encodeHead(0, value);
  if (typeof value === 'string') return Buffer.concat([encodeHead(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([encodeHead(2, value.length), value]);
  const entries = value.flatMap(([key, entry]) => [encodeCbor(key), encodeCbor(entry)]);
  return Buffer.concat([encodeHead(5, value.length), ...entries]);
}

// ---- authenticator

function createAuthenticatorData({ domain, counter = 0 }: SignRequest, flags: number): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  return Buffer.concat([sha256(domain), Buffer.from([flags]), count]);
}

const createClientData = (type: string, { origin, challenge }: SignRequest): Buffer =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

export type SoftwareAuthenticator = ReturnType<typeof createSoftwareAuthenticator>;

export function createSoftwareAuthenticator() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(32);
  const credential = { id: encode(id), rawId: encode(id), type: 'public-key' };
  const coseKey = encodeCbor([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ]);
  return {
    id: credential.id,
    /** As `navigator.credentials.create` returns it. */
    create: (request: SignRequest) => {
      const length = Buffer.from([0, id.length]);
      const data = createAuthenticatorData(request, USER_PRESENT | HAS_CREDENTIAL);
      const authData = Buffer.concat([data, Buffer.alloc(16), length, id, coseKey]);
      const attestation = encodeCbor([
        ['fmt', 'none'],
        ['attStmt', []],
        ['authData', authData],
      ]);
      const clientDataJSON = encode(createClientData('webauthn.create', request));
      return {
        ...credential,
        response: { clientDataJSON, attestationObject: encode(attestation), transports: ['usb'] },
      };
    },
    /** As `navigator.credentials.get` returns it. */
    use: (request: SignRequest) => {
      const authenticatorData = createAuthenticatorData(request, USER_PRESENT);
      const clientData = createClientData('webauthn.get', request);
      const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientData)]), privateKey);
      return {
        ...credential,
        response: {
          clientDataJSON: encode(clientData),
          authenticatorData: encode(authenticatorData),
          signature: encode(signature),
        },
      };
    },
  };
}
