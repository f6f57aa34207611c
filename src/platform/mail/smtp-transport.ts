/** Sends mails to an SMTP server, one connection per mail. */
import { createTransport } from 'nodemailer';
import { getDomain } from './mail-address.ts';
import type { Sender } from './mail-address.ts';

interface MailAttachment {
  readonly filename: string;
  /** Media type. */
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** Recipient and content of a mail. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Address for replies, if it is not that of the sender. */
  readonly replyTo?: string;
  /** The address is not confirmed, so few mails are sent to it. */
  readonly isUnconfirmed?: boolean;
  readonly attachments?: readonly MailAttachment[];
}

/** Result of a delivery. Temporary failures are thrown. */
export type DeliveryResult = { readonly ok: true } | { readonly ok: false; readonly reason: string };

export interface MailTransport {
  /**
   * @param event deduplication key; the Message-ID is derived from it, so that mail programs recognise a copy
   * @throws Error after a temporary failure; its message holds no address and no password
   */
  send(event: string, mail: Mail): Promise<DeliveryResult>;
}

export interface SmtpOptions {
  /** `smtp://user:password@host:port`, or `smtps:` for implicit TLS. User and password percent-encoded. */
  readonly url: string;
  /** The sender of the next mail. */
  readonly getSender: () => Sender;
  /** Limits in ms: of each response of the server, and of a whole delivery. */
  readonly responseTimeoutMs?: number;
  readonly deliveryTimeoutMs?: number;
}

const RESPONSE_TIMEOUT_MS = 15_000;
const DELIVERY_TIMEOUT_MS = 60_000;
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/;

/** Parses SMTP_URL. Default ports: 587, with implicit TLS 465. */
export function parseSmtpUrl(url: string) {
  const { hostname, port, protocol, username, password } = new URL(url);
  const isSecure = protocol === 'smtps:';
  const hasLogin = username !== '';
  return {
    host: hostname.replaceAll(/[[\]]/g, ''),
    port: Number(port || (isSecure ? 465 : 587)),
    secure: isSecure,
    // A password is sent without TLS on loopback only.
    requireTLS: hasLogin && !isSecure && !LOOPBACK.test(hostname),
    ...(hasLogin ? { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } } : {}),
  };
}

/** Makes a header value one line. */
const formatOneLine = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();

export function createSmtpTransport({
  url,
  getSender,
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
    send: async (event, { to, subject, text, html, replyTo, attachments = [] }) => {
      const from = getSender();
      const sending = transport.sendMail({
        from,
        // An object, since a string would be parsed as a list.
        to: { name: '', address: to },
        ...(replyTo !== undefined && { replyTo: { name: '', address: replyTo } }),
        subject: formatOneLine(subject),
        text,
        html,
        attachments: attachments.map(({ bytes, filename, type }) => ({
          filename,
          contentType: type,
          content: Buffer.from(bytes),
        })),
        messageId: `<${encodeURIComponent(event)}@${getDomain(from)}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
      try {
        await withTimeout(deliveryTimeoutMs, sending);
        return { ok: true };
      } catch (error) {
        const { code, responseCode, command, response } = toSmtpError(error);
        const reason = [code, command, formatReply(response) || responseCode].filter(Boolean).join(' ');
        // A refusal of this mail is final. A refused login is not: the operator can fix it.
        const isOfThisMail = command === 'RCPT TO' || command === 'DATA';
        if (isOfThisMail && responseCode !== undefined && responseCode >= 500) return { ok: false, reason };
        // The envelope was not sent: the server does not support such an address.
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

/** Removes the address, which many servers repeat in a refusal, from the text for the log. */
function formatReply(response = ''): string {
  return formatOneLine(response)
    .replaceAll(/\S*@\S*/g, '<address>')
    .slice(0, 200);
}
