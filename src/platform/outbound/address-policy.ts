/** Which servers the shop may send requests to, when somebody else names the URL. */
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

/** Private networks and hosts that requests may reach all the same. */
export interface AllowedPrivate {
  readonly ranges: readonly Range[];
  /** Lower case. */
  readonly hosts: ReadonlySet<string>;
}

export const NOTHING_PRIVATE: AllowedPrivate = { ranges: [], hosts: new Set() };

const HOST = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;
/** Addresses in use on the Internet: 2000::/3. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');

/** Reads a list such as `10.0.0.0/8, 192.168.1.5, erp.internal`. Null if a part is none of these. */
export function parseAllowedPrivate(text: string): AllowedPrivate | null {
  const ranges: Range[] = [];
  const hosts = new Set<string>();
  for (const part of text.toLowerCase().split(',')) {
    const one = part.trim();
    if (one === '') continue;
    if (ipaddr.isValidCIDR(one)) ranges.push(ipaddr.parseCIDR(one));
    else if (ipaddr.IPv4.isValidFourPartDecimal(one) || ipaddr.IPv6.isValid(one)) {
      const address = ipaddr.parse(one);
      ranges.push([address, address.kind() === 'ipv4' ? 32 : 128]);
    } else if (HOST.test(one)) hosts.add(one);
    else return null;
  }
  return { ranges, hosts };
}

const isInRange = (address: Address, [network, bits]: Range): boolean =>
  address.kind() === network.kind() && address.match(network, bits);

/**
 * Whether an address belongs to the public internet: not to this machine, its networks, or a reserved range. An IPv4
 * address within an IPv6 one (mapped) is judged as the former; NAT64, 6to4 and Teredo are never public.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  return address.range() === 'unicast' && (address.kind() === 'ipv4' || isInRange(address, GLOBAL_IPV6));
}

/** @param host of the URL, lower case @param address that a connection would use */
export function mayConnect(host: string, address: string, allowed: AllowedPrivate): boolean {
  if (isPublicAddress(address) || allowed.hosts.has(host)) return true;
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return allowed.ranges.some((range) => isInRange(parsed, range));
}
