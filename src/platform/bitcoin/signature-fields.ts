/** The fields of a PSBT that a signature needs. Sources: BIP174, BIP370 (version 2), BIP371. */
import { ByteReader } from './byte-reader.ts';

const MAGIC = Buffer.from('psbt\xff', 'latin1');
/** Fields of one map: signatures of an input are few, whatever a wallet adds. */
const MAX_MAP_FIELDS = 64;
const UNSIGNED_TRANSACTION = 0x00;

/** Types that are kept, by map. Transactions of inputs, key origins and unknown fields are dropped. */
const KEPT = {
  // The transaction; of version 2 its version, lock time, counts and flags, and the version.
  global: new Set([UNSIGNED_TRANSACTION, 0x02, 0x03, 0x04, 0x05, 0x06, 0xfb]),
  // Spent output, signatures, final script and witness, and of version 2 the outpoint and sequence.
  input: new Set([0x01, 0x02, 0x07, 0x08, 0x0e, 0x0f, 0x10, 0x11, 0x12, 0x13]),
  // Of version 2 amount and script.
  output: new Set([0x03, 0x04]),
} as const;

function getKeptTypes(map: number, inputs: number): ReadonlySet<number> {
  if (map === 0) return KEPT.global;
  return map <= inputs ? KEPT.input : KEPT.output;
}

/** What the planned transaction allows. */
export interface PsbtLimits {
  readonly unsignedBytes: number;
  readonly inputs: number;
  readonly outputs: number;
}

export const isPsbt = (bytes: Uint8Array): boolean => MAGIC.equals(bytes.subarray(0, MAGIC.length));

/**
 * A PSBT reduced to what a signature needs, in one pass, so that parsing it takes as long as the plan is large. Null
 * if it has another number of inputs and outputs than the plan, or too many fields.
 * @throws MalformedBytesError
 */
export function keepSignatureFields(
  psbt: Uint8Array,
  { inputs, outputs, unsignedBytes }: PsbtLimits,
): Uint8Array | null {
  const reader = new ByteReader(psbt);
  const kept: Buffer[] = [reader.take(MAGIC.length)];
  const maps = 1 + inputs + outputs;
  for (let map = 0; map < maps; map += 1) {
    const types = getKeptTypes(map, inputs);
    for (let fields = 0; ; fields += 1) {
      const start = reader.offset;
      const keyLength = reader.readCompactSize();
      if (keyLength === 0) {
        kept.push(Buffer.of(0));
        break;
      }
      if (fields === MAX_MAP_FIELDS) return null;
      const type = reader.take(keyLength)[0] ?? 0;
      const length = reader.readCompactSize();
      reader.skip(length);
      if (map === 0 && type === UNSIGNED_TRANSACTION && length !== unsignedBytes) return null;
      if (types.has(type)) kept.push(reader.bytes.subarray(start, reader.offset));
    }
  }
  return reader.remaining > 0 ? null : Buffer.concat(kept);
}
