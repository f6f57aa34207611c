/** Answers on the bare connection, where no request reached the router. */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionError } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { Refusal } from './call.ts';
import { COMMON_HEADERS } from './security-headers.ts';

/** How long a client has to read the answer before its descriptor is released. */
const LINGER_MS = 1_000;

/** Sends the refusal in the API's form and closes the connection, whether or not the client closes its side. */
function refuseConnection(socket: Socket, refusal: Refusal): void {
  const body = JSON.stringify(refusal.body);
  const headers = {
    ...COMMON_HEADERS,
    'x-request-id': uuidv7(),
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    ...(refusal.retryAfterSeconds === undefined ? {} : { 'retry-after': String(refusal.retryAfterSeconds) }),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([header, value]) => `${header}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${lines.join('')}\r\n${body}`);
  // Closed at once, with bytes of the client still unread, the answer would be lost with the connection.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** Answers bytes that are no request, too large, or too slow. */
export function handleClientError(error: ConnectionError, socket: Socket): void {
  const isIdle = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0;
  // Nobody asked anything: an answer would be taken for that of the next request.
  if (isIdle || error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else refuseConnection(socket, toRefusal(error));
}

function toRefusal({ code }: ConnectionError): Refusal {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Refusal(408, 'timeout', 'The request did not arrive in time');
  if (code === 'HPE_HEADER_OVERFLOW') return new Refusal(431, 'too-large', 'The headers are too large');
  return new Refusal(400, 'invalid', 'The request is not valid');
}
