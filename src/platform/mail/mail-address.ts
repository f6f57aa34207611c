import { domainToASCII } from 'node:url';

const MAX_ADDRESS = 254;
const MAX_LOCAL_PART = 64;
// Letters of all scripts, without the special characters of a header (RFC 5322, 3.2.3), even quoted.
const ATOM = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+$/u;
const DOMAIN_LABEL = /^(?!-)[\p{L}\p{M}\p{N}-]{1,63}(?<!-)$/u;

/** Whether the text is one address that is safe in a header and an envelope. */
export function isMailAddress(text: string): boolean {
  if (text.length > MAX_ADDRESS) return false;
  const at = text.lastIndexOf('@');
  const [localPart, domain] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)];
  if (at < 1 || localPart.length > MAX_LOCAL_PART) return false;
  const isName = localPart.split('.').every((atom) => ATOM.test(atom));
  return isName && domain.split('.').every((label) => DOMAIN_LABEL.test(label));
}

/**
 * Key of the mailbox that an address probably reaches, for limits of mails: without case, dots of the
 * local part and what follows a plus in it, which most providers ignore.
 */
export function toMailboxKey(address: string): string {
  const text = address.normalize('NFKC').toLowerCase().trim();
  const at = text.lastIndexOf('@');
  const [localPart = ''] = text.slice(0, Math.max(at, 0)).split('+');
  const domain = text.slice(at + 1);
  return `${localPart.replaceAll('.', '')}@${domainToASCII(domain) || domain}`;
}

/** The sender of a mail. */
export interface Sender {
  /** Empty if there is none. */
  readonly name: string;
  readonly address: string;
}

/** Reads `Shop <mail@shop.example>` or the address alone; null for anything else. */
export function parseSender(text: string): Sender | null {
  const [, quoted, bare = '', bracketed] = /^(?:"([^"\\]*)"|([^"<>]*?))\s*<([^<>]*)>$/.exec(text.trim()) ?? [];
  const sender = { name: (quoted ?? bare).trim(), address: bracketed ?? text.trim() };
  return isMailAddress(sender.address) && !/\p{Cc}/u.test(sender.name) ? sender : null;
}

export const getDomain = ({ address }: Sender): string => address.slice(address.lastIndexOf('@') + 1);
