/** Answers of the API that are the same for everybody: encoded once, and kept while their version stays the same. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ByteBoundCache } from './byte-bound-cache.ts';
import { keptAddress } from './page-address.ts';
import { SentBytes } from './sent-bytes.ts';

const KEPT_BYTES = 16 * 1024 * 1024;
/** The compressed forms take less than half of what they are made of. */
const ROOM_FACTOR = 1.5;

export interface KeptAnswer {
  readonly version: string;
  /** Beside those that every answer has. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: SentBytes;
}

export class KeptAnswers {
  readonly #kept = new ByteBoundCache<KeptAnswer>(KEPT_BYTES);

  /** @param parameters those of the query that count; the order in which they stand does not. */
  static keyOf(url: string, parameters: readonly string[]): string {
    return (
      keptAddress(
        url,
        () => parameters,
        () => false,
      ) ?? url
    );
  }

  get(key: string, version: string): KeptAnswer | null {
    const kept = this.#kept.get(key);
    return kept?.version === version ? kept : null;
  }

  keep(key: string, version: string, headers: Readonly<Record<string, string>>, wire: unknown): KeptAnswer {
    const answer = { version, headers, body: new SentBytes(Buffer.from(JSON.stringify(wire))) };
    this.#kept.set(key, answer, answer.body.identity.length * ROOM_FACTOR);
    return answer;
  }
}

/** Sends it compressed, or says that the caller has it already. */
export async function sendKept(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { headers: own, body }: KeptAnswer,
): Promise<FastifyReply> {
  void reply.headers(own).headers({ 'cache-control': 'no-cache', vary: 'accept-encoding', etag: body.etag });
  if (body.isKnownBy(headers['if-none-match'])) return reply.code(304).send();
  const encoding = body.encodingFor(headers['accept-encoding']);
  if (encoding !== null) void reply.header('content-encoding', encoding);
  return reply.type('application/json; charset=utf-8').send(body.in(encoding));
}
