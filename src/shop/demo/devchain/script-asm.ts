/** Names of the opcodes in outputs that the devchain relays. */
const names: Readonly<Record<number, string>> = {
  0x00: 'OP_0',
  0x4f: 'OP_PUSHNUM_NEG1',
  0x6a: 'OP_RETURN',
  0x75: 'OP_DROP',
  0x76: 'OP_DUP',
  0x87: 'OP_EQUAL',
  0x88: 'OP_EQUALVERIFY',
  0xa9: 'OP_HASH160',
  0xac: 'OP_CHECKSIG',
  0xae: 'OP_CHECKMULTISIG',
};

const OP_PUSHDATA1 = 0x4c;
const OP_PUSHDATA4 = 0x4e;

/** A script as assembly, in the format of Esplora (`OP_0 OP_PUSHBYTES_20 …`). */
export function formatScriptAsm(script: Buffer): string {
  const words: string[] = [];
  for (let at = 0; at < script.length;) {
    const code = script[at] ?? 0;
    at += 1;
    if (code >= 0x51 && code <= 0x60) words.push(`OP_PUSHNUM_${code - 0x50}`);
    else if (code === 0 || code > OP_PUSHDATA4) words.push(names[code] ?? `OP_UNKNOWN_${code.toString(16)}`);
    else {
      const lengthBytes = code < OP_PUSHDATA1 ? 0 : 2 ** (code - OP_PUSHDATA1);
      if (at + lengthBytes > script.length) return [...words, '<unexpected end>'].join(' ');
      const length = lengthBytes === 0 ? code : script.readUIntLE(at, lengthBytes);
      at += lengthBytes;
      if (at + length > script.length) return [...words, '<push past end>'].join(' ');
      const push = lengthBytes === 0 ? `OP_PUSHBYTES_${code}` : `OP_PUSHDATA${lengthBytes}`;
      words.push(push, script.toString('hex', at, at + length));
      at += length;
    }
  }
  return words.join(' ');
}
