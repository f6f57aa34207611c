/**
 * The network that limits count as one client. IPv4: the address. IPv6: its /64, since one
 * subscriber has at least that many addresses. `::ffff:192.0.2.1` counts as IPv4.
 * @param address from the socket or a trusted proxy; text that is not an address is its own key
 */
export function toClientKey(address: string): string {
  const bare =
    address
      .trim()
      .toLowerCase()
      .replace(/^\[(.*)\]$/, '$1')
      .split('%')[0] ?? '';
  if (!bare.includes(':')) return bare;
  const groups = parseGroups(bare);
  if (groups === null) return bare;
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) return toBytes(groups.slice(6)).join('.');
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/**
 * The network that one organisation has: of IPv6 the /48 around a client's /64, of IPv4 the address.
 * @param client of `toClientKey`
 */
export function toSiteKey(client: string): string {
  const [prefix = ''] = client.endsWith('::/64') ? client.split('::/64') : [];
  return prefix === '' ? client : `${prefix.split(':').slice(0, 3).join(':')}::/48`;
}

/** The eight 16-bit groups of an IPv6 address; null for text that is none. */
function parseGroups(text: string): readonly number[] | null {
  const halves = text.split('::');
  if (halves.length > 2) return null;
  const [head, tail] = halves.map(readGroups);
  if (!head || tail === null) return null;
  if (tail === undefined) return head.length === 8 ? head : null;
  const missing = 8 - head.length - tail.length;
  return missing < 1 ? null : [...head, ...Array<number>(missing).fill(0), ...tail];
}

function readGroups(text: string): number[] | null {
  if (text === '') return [];
  const groups: number[] = [];
  for (const part of text.split(':')) {
    const dotted = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(part)?.slice(1).map(Number);
    if (dotted) {
      const [a = 0, b = 0, c = 0, d = 0] = dotted;
      if (dotted.some((byte) => byte > 255)) return null;
      groups.push(a * 256 + b, c * 256 + d);
    } else if (/^[\da-f]{1,4}$/.test(part)) groups.push(Number.parseInt(part, 16));
    else return null;
  }
  return groups;
}

const toBytes = (groups: readonly number[]): number[] => groups.flatMap((group) => [group >> 8, group & 255]);
