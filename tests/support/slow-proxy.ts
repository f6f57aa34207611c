/** A proxy before the shop that sends some responses in two parts. */
import { once } from 'node:events';
import { createServer } from 'node:http';

export interface SlowProxy {
  readonly url: string;
  stop(): void;
}

export interface SlowProxyOptions {
  /** URL of the shop. */
  readonly upstream: string;
  /** @returns how many bytes the first part has; null: sends the response whole */
  readonly cut: (path: string, body: Buffer) => number | null;
  /** Runs before the second part is sent. */
  readonly waitBetween: () => Promise<unknown>;
}

export async function startSlowProxy({ upstream, cut, waitBetween }: SlowProxyOptions): Promise<SlowProxy> {
  const server = createServer((request, response) => {
    const forward = async (): Promise<void> => {
      const path = request.url ?? '';
      const answer = await fetch(upstream + path, { headers: { accept: request.headers.accept ?? '*/*' } });
      const body = Buffer.from(await answer.arrayBuffer());
      const headers = [...answer.headers].filter(
        ([name]) => !/^(content-(encoding|length)|transfer-encoding)$/.test(name),
      );
      response.writeHead(answer.status, Object.fromEntries(headers));
      const end = cut(path, body);
      if (end !== null) {
        response.write(body.subarray(0, end));
        await waitBetween();
      }
      response.end(body.subarray(end ?? 0));
    };
    forward().catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the proxy has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
