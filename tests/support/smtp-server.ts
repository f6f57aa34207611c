/** A real SMTP server for tests, over a socket, with faults on request. */
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';

/** The mail as received, with dot-stuffing removed. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
}

export interface SmtpBehaviour {
  /** Error responses by command; `.` is the body, `HELLO` the greeting. */
  readonly replies?: Readonly<Record<string, string>>;
  /** Stops responding from this command on. */
  readonly stallsAt?: string;
  /** Closes the connection instead of sending this response, even if the mail was accepted. */
  readonly cutsAt?: string;
}

const YES: Readonly<Record<string, string>> = {
  HELLO: '220 mail.test ready',
  EHLO: '250-mail.test\r\n250-8BITMIME\r\n250 SMTPUTF8',
  DATA: '354 go ahead',
  '.': '250 taken',
  QUIT: '221 bye',
};

export class SmtpServer {
  readonly received: ReceivedMail[] = [];
  behaviour: SmtpBehaviour = {};
  connections = 0;
  readonly #sockets = new Set<Socket>();
  readonly #server: Server = createServer((socket) => this.#converse(socket));

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the server does not listen');
    return `smtp://127.0.0.1:${address.port}`;
  }

  async listen(port = 0): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve));
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => void this.#server.close(resolve));
  }

  #converse(socket: Socket): void {
    this.connections += 1;
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => {});
    let buffered = '';
    let isInBody = false;
    let isStalled = false;
    const envelope = { from: '', to: [] as string[] };
    const respond = (command: string): boolean => {
      const { replies = {}, stallsAt, cutsAt } = this.behaviour;
      isStalled ||= command === stallsAt;
      if (isStalled) return false;
      if (command === cutsAt) {
        socket.destroy();
        return true;
      }
      const reply = replies[command] ?? YES[command] ?? '250 ok';
      socket.write(`${reply}\r\n`);
      if (command === 'QUIT') socket.end();
      return /^[23]/.test(reply);
    };
    const onCommand = (line: string): void => {
      const command = line.split(/[ :]/, 1)[0]?.toUpperCase() ?? '';
      const address = /<([^>]*)>/.exec(line)?.[1] ?? '';
      const isTaken = respond(command);
      if (command === 'MAIL') [envelope.from, envelope.to] = [address, []];
      if (command === 'RCPT' && isTaken) envelope.to.push(address);
      isInBody = command === 'DATA' && isTaken;
    };
    const onBody = (raw: string): void => {
      isInBody = false;
      const letter = { ...envelope, to: [...envelope.to], raw: raw.replaceAll(/^\./gm, '') };
      if (respond('.')) this.received.push(letter);
    };
    socket.on('data', (chunk: Buffer) => {
      buffered += chunk.toString('utf8');
      for (;;) {
        const end = buffered.indexOf(isInBody ? '\r\n.\r\n' : '\r\n');
        if (end < 0) return;
        const text = buffered.slice(0, end);
        buffered = buffered.slice(end + (isInBody ? 5 : 2));
        if (isInBody) onBody(text);
        else onCommand(text);
      }
    });
    respond('HELLO');
  }
}

export interface ParsedMail {
  /** Unfolded header values by lower-case name. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  /** Decoded parts by content type. */
  readonly parts: ReadonlyMap<string, string>;
  /** By file name. */
  readonly attachments: ReadonlyMap<string, Buffer>;
}

function parseHeaders(head: string): Map<string, string[]> {
  const headers = new Map<string, string[]>();
  for (const line of head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n')) {
    const name = line.slice(0, line.indexOf(':')).toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), line.slice(line.indexOf(':') + 1).trim()]);
  }
  return headers;
}

function decodeBody(body: string, encoding = ''): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return body;
  const bytes = body.replaceAll('=\r\n', '').replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => `%${hex}`);
  return bytes.replaceAll(/(?:%[0-9A-F]{2})+/g, (escaped) =>
    Buffer.from(escaped.replaceAll('%', ''), 'hex').toString('utf8'),
  );
}

/** Parses a mail as a mail program does. */
export function parseMail(raw: string): ParsedMail {
  const end = raw.indexOf('\r\n\r\n');
  const headers = parseHeaders(raw.slice(0, end));
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type')?.[0] ?? '')?.[1] ?? '';
  const parts = new Map<string, string>();
  const attachments = new Map<string, Buffer>();
  for (const part of raw.slice(end).split(`--${boundary}`).slice(1, -1)) {
    const cut = part.indexOf('\r\n\r\n');
    const own = parseHeaders(part.slice(2, cut));
    const type = own.get('content-type')?.[0]?.split(';')[0] ?? '';
    const [, filename] = /^attachment; filename="?([^";]+)/.exec(own.get('content-disposition')?.[0] ?? '') ?? [];
    if (filename !== undefined) attachments.set(filename, Buffer.from(part.slice(cut + 4), 'base64'));
    else if (type.startsWith('multipart/')) {
      for (const [inner, body] of parseMail(part.slice(2)).parts) parts.set(inner, body);
    } else parts.set(type, decodeBody(part.slice(cut + 4), own.get('content-transfer-encoding')?.[0]));
  }
  return { headers, parts, attachments };
}
