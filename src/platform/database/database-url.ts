/** DATABASE_URL, which may list several servers as libpq does: `postgres://user@db1:5432,db2/shop`. */
import type { PoolConfig } from 'pg';
import { ServerList } from './server-list.ts';
import type { ServerAddress } from './server-list.ts';

const DEFAULT_PORT = 5432;
/** Values of `target_session_attrs` that a shop can work with: it always writes. */
const WRITABLE = new Set(['read-write', 'primary']);

/** For `PrimaryClient` and `openPool`. */
export interface DatabaseConnection extends PoolConfig {
  /** Absent: the server is used whether it accepts writes or not. */
  readonly servers?: ServerList;
}

interface DatabaseUrl {
  /** The URL with the first host only, for node-postgres, which does not know lists. */
  readonly connectionString: string;
  readonly addresses: readonly ServerAddress[];
  /** Value of `target_session_attrs`; null if it is not given. */
  readonly session: string | null;
}

/** Null if it is not a URL of PostgreSQL. */
function parse(text: string): DatabaseUrl | null {
  const [, start, authority, rest] = /^(postgres(?:ql)?:\/\/)([^/?#]*)(.*)$/s.exec(text) ?? [];
  if (start === undefined || authority === undefined || rest === undefined) return null;
  const login = authority.slice(0, authority.lastIndexOf('@') + 1);
  const hosts = authority.slice(login.length).split(',');
  const urls = hosts.map((host) => URL.parse(`${start}${login}${host}${rest}`));
  const addresses = urls.flatMap((url) => (url === null ? [] : [toAddress(url)]));
  if (addresses.length < hosts.length || (hosts.length > 1 && addresses.some(({ host }) => host === ''))) return null;
  const session = urls[0]?.searchParams.get('target_session_attrs') ?? null;
  return { connectionString: `${start}${login}${hosts[0]}${rest}`, addresses, session };
}

const toAddress = ({ hostname, port }: URL): ServerAddress => ({
  host: hostname.replace(/^\[(.+)\]$/, '$1'),
  port: port === '' ? DEFAULT_PORT : Number(port),
});

/** Explains what is wrong with a URL. Null if nothing is. */
export function findDatabaseUrlProblem(text: string): string | null {
  const url = parse(text);
  if (url === null) return 'must be a URL such as postgres://user:password@host:5432/name, or …@host1,host2/name';
  if (url.session !== null && !WRITABLE.has(url.session)) return 'target_session_attrs must be read-write or primary';
  const { searchParams } = new URL(url.connectionString);
  const isList = url.addresses.length > 1 || url.session !== null;
  return isList && (searchParams.has('host') || searchParams.has('port'))
    ? 'several hosts and target_session_attrs cannot be combined with host or port behind the question mark'
    : null;
}

/**
 * The connection of a valid URL. With several hosts, or `target_session_attrs`, every connection is to the server that
 * accepts writes.
 */
export function readDatabaseUrl(text: string): DatabaseConnection {
  const url = parse(text);
  if (url === null) throw new TypeError('not a URL of PostgreSQL');
  const { connectionString, addresses, session } = url;
  return addresses.length === 1 && session === null
    ? { connectionString }
    : { connectionString, servers: new ServerList(addresses) };
}

/** A connection as JSON, for another process. */
export const describeConnection = ({ servers, ...config }: DatabaseConnection): Record<string, unknown> =>
  servers === undefined ? config : { ...config, servers: servers.addresses };

/** @param described by `describeConnection` */
export function restoreConnection({ servers, ...config }: Readonly<Record<string, unknown>>): DatabaseConnection {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the array that was described
  return servers === undefined ? config : { ...config, servers: new ServerList(servers as ServerAddress[]) };
}

/** A URL without user, password and parameters, for messages. */
export function formatDatabasePlace(text: string): string {
  return text.replace(/^(postgres(?:ql)?:\/\/)(?:[^/?#]*@)?([^?#]*).*$/s, '$1$2');
}
