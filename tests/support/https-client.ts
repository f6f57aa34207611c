/** HTTPS requests to a server with a certificate of its own, from a chosen address of the loopback network. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { findProgram } from './programs.ts';

export interface Certificate {
  readonly certFile: string;
  readonly keyFile: string;
  /** For clients that trust it. */
  readonly ca: Buffer;
}

/** A certificate for localhost. Needs openssl. */
export function createCertificate(directory: string): Certificate {
  const [certFile, keyFile] = [join(directory, 'cert.pem'), join(directory, 'key.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', keyFile];
  const args = ['req', '-x509', ...key, '-out', certFile, '-days', '2', ...subject];
  execFileSync(findProgram('openssl') ?? 'openssl', args, { stdio: 'ignore' });
  return { certFile, keyFile, ca: readFileSync(certFile) };
}

export interface HttpsRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Address of the client, such as 127.0.0.2. */
  readonly from?: string;
}

export interface HttpsResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** One request on a connection of its own. @throws if the connection fails */
export function sendHttps(
  { port, ca }: { readonly port: number; readonly ca: Buffer },
  path: string,
  { method = 'GET', headers = {}, body, from }: HttpsRequest = {},
): Promise<HttpsResponse> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        servername: 'localhost',
        port,
        ca,
        path,
        method,
        agent: false,
        localAddress: from,
        headers: {
          host: `localhost:${port}`,
          ...headers,
          ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}
