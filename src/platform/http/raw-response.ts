/** Writes responses to the socket when no request reaches the router. */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionError } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { Refusal } from './call.ts';
import { COMMON_HEADERS } from './security-headers.ts';

/** How long a client has to read the response before the socket is destroyed. */
const LINGER_MS = 1_000;

/** Sends the refusal in the form of the API and closes the connection. */
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
  // Closing with unread bytes would reset the connection, and the response would be lost.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** Responds to malformed, too large or too slow requests. */
export function handleClientError(error: ConnectionError, socket: Socket): void {
  const isIdle = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0;
  // No request was sent: a response would be taken for that of the next one.
  if (isIdle || error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else refuseConnection(socket, toRefusal(error));
}

function toRefusal({ code }: ConnectionError): Refusal {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Refusal(408, 'timeout', 'The request did not arrive in time');
  if (code === 'HPE_HEADER_OVERFLOW') return new Refusal(431, 'too-large', 'The headers are too large');
  return new Refusal(400, 'invalid', 'The request is not valid');
}
