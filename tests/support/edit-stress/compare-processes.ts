/** Compares what processes of a shop show to everybody, and to some buyers. */
import { listAt, textAt } from '../read-json.ts';
import type { PooledProcess, ProcessPool } from './process-pool.ts';

export interface Compared {
  readonly slugs: readonly string[];
  /** Sessions of buyers with carts. */
  readonly tokens: readonly string[];
}

async function readPublic(pool: ProcessPool, at: PooledProcess, { slugs, tokens }: Compared) {
  const shown = new Map<string, string>();
  const read = async (path: string, token?: string): Promise<unknown> => {
    const { status, body } = await pool.call('GET', path, { at, ...(token === undefined ? {} : { token }) });
    shown.set(token === undefined ? path : `${path} of ${token.slice(0, 6)}`, `${status} ${JSON.stringify(body)}`);
    return body;
  };
  const products = await read('/products?limit=500&sort=price_asc');
  await read('/products?limit=500&q=phone');
  for (const path of ['/filters', '/categories', '/brands', '/promotions', '/rate']) await read(path);
  const listed = listAt(products).map((product) => textAt(product, 'slug'));
  for (const slug of new Set([...slugs, ...listed])) await read(`/products/${slug}`);
  for (const token of tokens) await read('/cart', token);
  return shown;
}

/** Differences between processes, one line each. */
export async function compareProcesses(pool: ProcessPool, compared: Compared): Promise<readonly string[]> {
  const [first, ...others] = await Promise.all(
    pool.processes.map(async (process) => ({ process, shown: await readPublic(pool, process, compared) })),
  );
  return others.flatMap(({ process, shown }) =>
    [...(first?.shown ?? [])].flatMap(([path, text]) => {
      const other = shown.get(path);
      if (other === text) return [];
      const at = text.split('').findIndex((letter, index) => letter !== other?.[index]);
      const show = (of = 'nothing') => of.slice(Math.max(0, at - 60), at + 60);
      return [`${path}: ${first?.process.name} …${show(text)}…, ${process.name} …${show(other)}…`];
    }),
  );
}
