/** Messages of PostgreSQL's protocol that execute a prepared statement (bind, describe, execute, sync). */

/** Text, bytes or null, as they are sent. */
export type EncodedValue = string | Buffer | null;

/** The values as node-postgres sends them; null if one is of a kind that only its own encoder supports. */
export function encodeValues(values: readonly unknown[]): EncodedValue[] | null {
  const encoded: EncodedValue[] = [];
  for (const value of values) {
    const one = encodeValue(value);
    if (one === undefined) return null;
    encoded.push(one);
  }
  return encoded;
}

function encodeValue(value: unknown): EncodedValue | undefined {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value);
    case 'undefined':
      return null;
    default:
  }
  if (value === null || value instanceof Buffer) return value;
  if (value instanceof Date) return encodeDate(value);
  return Array.isArray(value) ? encodeArray(value) : undefined;
}

/** PostgreSQL does not read the form of years after 9999. */
function encodeDate(date: Date): string | undefined {
  const ms = date.getTime();
  return ms >= 0 && ms < 253_402_300_800_000 ? date.toISOString() : undefined;
}

function encodeArray(values: readonly unknown[]): string | undefined {
  let text = '{';
  for (const [at, value] of values.entries()) {
    if (at > 0) text += ',';
    if (value === null || value === undefined) text += 'NULL';
    else if (typeof value === 'string')
      text += `"${value.replaceAll('\\', String.raw`\\`).replaceAll('"', String.raw`\"`)}"`;
    else if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') text += `"${value}"`;
    else return undefined;
  }
  return `${text}}`;
}

const DESCRIBE_PORTAL = Buffer.from([0x44, 0, 0, 0, 6, 0x50, 0]);
const EXECUTE = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0]);
const SYNC = Buffer.from([0x53, 0, 0, 0, 4]);
const BIND = 0x42;
const [TEXT, BINARY] = [0, 1];

/** @param isDescribed asks for the description of the columns */
export function encodeExecution(name: string, values: readonly EncodedValue[], isDescribed: boolean): Buffer {
  // The unnamed portal, the name, formats of the values, the values, and one format for all columns.
  const count = values.length;
  let bindLength = 4 + 1 + Buffer.byteLength(name) + 1 + 2 + 2 * count + 2 + 4 * count + 4;
  const lengths = values.map((value) => {
    if (value === null) return -1;
    return typeof value === 'string' ? Buffer.byteLength(value) : value.length;
  });
  for (const length of lengths) if (length > 0) bindLength += length;
  const tailLength = (isDescribed ? DESCRIBE_PORTAL.length : 0) + EXECUTE.length + SYNC.length;
  const bytes = Buffer.allocUnsafe(1 + bindLength + tailLength);
  let at = bytes.writeUInt8(BIND, 0);
  at = bytes.writeInt32BE(bindLength, at);
  at = bytes.writeUInt8(0, at);
  at += bytes.write(name, at);
  at = bytes.writeUInt8(0, at);
  at = bytes.writeInt16BE(count, at);
  for (const value of values) at = bytes.writeInt16BE(value instanceof Buffer ? BINARY : TEXT, at);
  at = bytes.writeInt16BE(count, at);
  for (const [index, value] of values.entries()) {
    at = bytes.writeInt32BE(lengths[index] ?? -1, at);
    if (typeof value === 'string') at += bytes.write(value, at);
    else if (value !== null) at += value.copy(bytes, at);
  }
  at = bytes.writeInt16BE(1, at);
  at = bytes.writeInt16BE(TEXT, at);
  if (isDescribed) at += DESCRIBE_PORTAL.copy(bytes, at);
  at += EXECUTE.copy(bytes, at);
  SYNC.copy(bytes, at);
  return bytes;
}
