/** Hands mails to an SMTP server, each over a connection of its own. */
import { createTransport } from 'nodemailer';
import { getDomain } from './mail-address.ts';
import type { Sender } from './mail-address.ts';

/** A mail as its reader sees it. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Nobody has shown to read mails at this address: few are sent to it. */
  readonly isUnconfirmed?: boolean;
}

/** What the server said; what may pass another time is thrown instead. */
export type DeliveryResult = { readonly ok: true } | { readonly ok: false; readonly reason: string };

export interface MailTransport {
  /**
   * @param event names what the mail tells of: the Message-ID is made of it, so that a second copy is known as one.
   * @throws Error when it may pass another time; its message holds neither an address nor a password.
   */
  send(event: string, mail: Mail): Promise<DeliveryResult>;
}

export interface SmtpOptions {
  /** `smtp://user:password@host:port`, or `smtps:` for TLS from the first byte; user and password percent-encoded. */
  readonly url: string;
  readonly from: Sender;
  /** Limits in ms: of what the server may take to say anything, and of a whole delivery. */
  readonly responseTimeoutMs?: number;
  readonly deliveryTimeoutMs?: number;
}

const RESPONSE_TIMEOUT_MS = 15_000;
const DELIVERY_TIMEOUT_MS = 60_000;
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/;

/** What an SMTP_URL means; ports 587 and, with TLS from the first byte, 465 unless it names one. */
export function parseSmtpUrl(url: string) {
  const { hostname, port, protocol, username, password } = new URL(url);
  const isSecure = protocol === 'smtps:';
  const hasLogin = username !== '';
  return {
    host: hostname.replaceAll(/[[\]]/g, ''),
    port: Number(port || (isSecure ? 465 : 587)),
    secure: isSecure,
    // A password never travels in the clear, except within this machine.
    requireTLS: hasLogin && !isSecure && !LOOPBACK.test(hostname),
    ...(hasLogin ? { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } } : {}),
  };
}

/** A header is one line, whatever stood in the words that it is made of. */
const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();

export function createSmtpTransport({
  url,
  from,
  responseTimeoutMs = RESPONSE_TIMEOUT_MS,
  deliveryTimeoutMs = DELIVERY_TIMEOUT_MS,
}: SmtpOptions): MailTransport {
  const transport = createTransport({
    ...parseSmtpUrl(url),
    connectionTimeout: responseTimeoutMs,
    greetingTimeout: responseTimeoutMs,
    socketTimeout: responseTimeoutMs,
    dnsTimeout: responseTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    send: async (event, { to, subject, text, html }) => {
      const sending = transport.sendMail({
        from,
        // As an object: a text would be read as a list.
        to: { name: '', address: to },
        subject: oneLine(subject),
        text,
        html,
        messageId: `<${encodeURIComponent(event)}@${getDomain(from)}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
      try {
        await withTimeout(deliveryTimeoutMs, sending);
        return { ok: true };
      } catch (error) {
        const { code, responseCode, command, response } = toSmtpError(error);
        const reason = [code, command, formatReply(response) || responseCode].filter(Boolean).join(' ');
        // A no to this mail is final. One to the login, or to the shop as a whole, is for the operator to mend.
        const isOfThisMail = command === 'RCPT TO' || command === 'DATA';
        if (isOfThisMail && responseCode !== undefined && responseCode >= 500) return { ok: false, reason };
        // An envelope that was not even sent: the server can't take such an address.
        if (code === 'EENVELOPE' && responseCode === undefined) return { ok: false, reason };
        throw new Error(`the mail could not be handed over: ${reason}`, { cause: error });
      }
    },
  };
}

async function withTimeout<T>(limitMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('ETIMEDOUT')), limitMs);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}

interface SmtpError {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
  readonly response?: string;
}

function toSmtpError(error: unknown): SmtpError {
  if (!(error instanceof Error)) return {};
  const text = (name: string): string | undefined => {
    const value: unknown = Reflect.get(error, name);
    return typeof value === 'string' ? value : undefined;
  };
  const responseCode: unknown = Reflect.get(error, 'responseCode');
  const [code = error.message, command, response] = [text('code'), text('command'), text('response')];
  return {
    code,
    ...(command === undefined ? {} : { command }),
    ...(response === undefined ? {} : { response }),
    ...(typeof responseCode === 'number' ? { responseCode } : {}),
  };
}

/** Servers like to repeat the address that they refuse, and it belongs into no log. */
function formatReply(response = ''): string {
  return oneLine(response)
    .replaceAll(/\S*@\S*/g, '<address>')
    .slice(0, 200);
}
