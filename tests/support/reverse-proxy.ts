/** Caddy and nginx with the configuration of deploy/, on ports of a test. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Certificate } from './https-client.ts';
import { findProgram } from './programs.ts';

export interface ProxyOptions {
  /** Its own, for configuration, logs and temporary files. */
  readonly directory: string;
  readonly certificate: Certificate;
  /** Port of https. */
  readonly port: number;
  /** Port that redirects to https, for nginx. */
  readonly plainPort: number;
  readonly shopPort: number;
}

export interface ReverseProxy {
  /** Output of its check of the configuration. */
  readonly checked: string;
  stop(): Promise<void>;
}

/** Replaces a text that must occur. */
function replace(text: string, from: string | RegExp, to: string): string {
  const replaced = text.replaceAll(from, to);
  if (replaced === text) throw new Error(`the configuration does not contain ${String(from)}`);
  return replaced;
}

async function start(name: string, check: readonly string[], run: readonly string[], directory: string) {
  const program = findProgram(name) ?? name;
  // Caddy stores its state below these.
  const env = { PATH: process.env['PATH'], HOME: directory, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory };
  const { stdout, stderr } = await promisify(execFile)(program, [...check], { env });
  const child = spawn(program, [...run], { env, stdio: 'ignore' });
  const ended = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  // A test file that ends early leaves no proxy.
  process.on('exit', () => child.kill('SIGKILL'));
  return { checked: stdout + stderr, stop };
}

export function startCaddy({ directory, certificate, port, shopPort }: ProxyOptions): Promise<ReverseProxy> {
  const file = join(directory, 'Caddyfile');
  const site = replace(readFileSync('deploy/Caddyfile', 'utf8'), '127.0.0.1:3000', `127.0.0.1:${shopPort}`);
  const tls = `https://localhost:${port} {\n\ttls ${certificate.certFile} ${certificate.keyFile}`;
  const globals = '{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n}\n';
  writeFileSync(file, `${globals}${replace(site, 'shop.example {', tls)}`);
  const config = ['--adapter', 'caddyfile', '--config', file];
  return start('caddy', ['adapt', ...config], ['run', ...config], directory);
}

export function startNginx(options: ProxyOptions): Promise<ReverseProxy> {
  const { directory, certificate, port, plainPort, shopPort } = options;
  let site = readFileSync('deploy/nginx.conf', 'utf8');
  // The machine may have no IPv6.
  site = replace(site, /^\tlisten \[::\]:.*\n/gm, '');
  site = replace(site, 'listen 80;', `listen 127.0.0.1:${plainPort};`);
  site = replace(site, 'listen 443 ', `listen 127.0.0.1:${port} `);
  site = replace(site, 'server_name shop.example;', 'server_name localhost;');
  site = replace(site, '127.0.0.1:3000', `127.0.0.1:${shopPort}`);
  site = replace(site, /\/etc\/letsencrypt\/\S+\/fullchain\.pem/g, certificate.certFile);
  site = replace(site, /\/etc\/letsencrypt\/\S+\/privkey\.pem/g, certificate.keyFile);
  writeFileSync(join(directory, 'site.conf'), site);
  mkdirSync(join(directory, 'logs'), { recursive: true });
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${join(directory, kind)};`)
    .join('\n');
  const main = join(directory, 'nginx.conf');
  writeFileSync(
    main,
    `${process.getuid?.() === 0 ? 'user root;' : ''}
pid ${join(directory, 'pid')};
error_log ${join(directory, 'logs/error.log')};
events {}
http {
${temporary}
access_log off;
include ${join(directory, 'site.conf')};
}
`,
  );
  const config = ['-p', directory, '-e', join(directory, 'logs/error.log'), '-c', main];
  return start('nginx', ['-t', ...config], [...config, '-g', 'daemon off;'], directory);
}
