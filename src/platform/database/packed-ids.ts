/**
 * Ids of many rows as the bytes of one value, such as `string_agg(uuid_send(id), '' order by …)`. As a list of
 * texts, 100,000 ids would take ten times the memory.
 */

const UUID_LENGTH = 16;
const INT8_LENGTH = 8;

/** @param packed null for no rows @param batch ids at a time */
export function* unpackUuids(packed: Buffer | null, batch: number): Generator<readonly string[]> {
  for (const bytes of cut(packed, batch * UUID_LENGTH)) {
    const digits = bytes.toString('hex').match(/.{32}/g) ?? [];
    yield digits.map((id) => id.replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'));
  }
}

/** Of `int8send(id)`. @param packed null for no rows @param batch ids at a time */
export function* unpackBigints(packed: Buffer | null, batch: number): Generator<readonly bigint[]> {
  for (const bytes of cut(packed, batch * INT8_LENGTH)) {
    yield Array.from({ length: bytes.length / INT8_LENGTH }, (_, at) => bytes.readBigInt64BE(at * INT8_LENGTH));
  }
}

function* cut(bytes: Buffer | null, length: number): Generator<Buffer> {
  if (bytes === null) return;
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}
