/**
 * Conversations through several processes of the shop while connections are cut again and again: both sides follow by the
 * live channel and, after each reconnect, load what they have missed, as the page does; then what each has seen is
 * compared with what was answered.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { addLoaded, addMessage, beginConversation, cutConversation } from '#src/shop/tickets/conversation.ts';
import type { Told } from '#src/shop/tickets/conversation.ts';
import { Chance } from './chance.ts';
import { listAt, textAt } from './read-json.ts';

export interface ChatStormOptions {
  readonly conversations: number;
  /** Of all conversations together. */
  readonly messages: number;
  readonly reconnects: number;
  readonly staff: { readonly username: string; readonly password: string };
  readonly seed: number;
  /** How many messages a side has under way at once. */
  readonly atOnce?: number;
}

export interface ChatStormReport {
  readonly figures: {
    readonly acknowledged: number;
    readonly reconnects: number;
    readonly lost: number;
    readonly doubled: number;
    readonly outOfOrder: number;
    readonly leaked: number;
    /** From before a message was posted until the other side had it by the live channel, in ms. */
    readonly medianMs: number;
    readonly p99Ms: number;
    readonly milliseconds: number;
  };
  readonly findings: readonly string[];
}

const PAGE = 200;
const SETTLES_WITHIN_MS = 30_000;

/** One side of a conversation: a follower as the page is one. */
class Follower {
  /** When each message came first, by whichever way. */
  readonly cameAt = new Map<string, number>();
  /** Messages of tickets that it has not joined. */
  readonly foreign: string[] = [];
  /** Sent twice by one connection: the page would show them once, but the channel should not say them twice. */
  doubled = 0;
  /** Sent by one connection after what stands behind it. */
  outOfOrder = 0;
  reconnects = -1;
  readonly #urls: readonly string[];
  readonly #token: string;
  readonly #ticketId: string;
  readonly #chance: Chance;
  #socket: WebSocket | null = null;
  #known = beginConversation<Told>([]);
  #isOver = false;

  constructor(urls: readonly string[], token: string, ticketId: string, chance: Chance) {
    [this.#urls, this.#token, this.#ticketId, this.#chance] = [urls, token, ticketId, chance];
    this.#connect();
  }

  /** What its page shows, from above to below. */
  get shown(): readonly string[] {
    return this.#known.messages.map(({ id }) => id);
  }

  get isWhole(): boolean {
    return this.#known.isWhole;
  }

  cut(): void {
    this.#socket?.terminate();
  }

  end(): void {
    this.#isOver = true;
    this.cut();
  }

  #connect(): void {
    if (this.#isOver) return;
    this.reconnects += 1;
    this.#known = cutConversation(this.#known);
    const url = this.#chance.pick(this.#urls);
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/api/wss`);
    const heard = new Set<string>();
    let last = '';
    this.#socket = socket;
    const say = (frame: unknown): void => socket.send(JSON.stringify(frame));
    socket.on('open', () => say({ type: 'authenticate', token: this.#token }));
    socket.on('message', (data: Buffer) => {
      const frame: unknown = JSON.parse(data.toString('utf8'));
      const type = textAt(frame, 'type');
      if (type === 'authenticated') say({ type: 'join_ticket', ticketId: this.#ticketId });
      else if (type === 'joined_ticket') void this.#loadMissed(url, socket);
      else if (type === 'new_message') {
        const id = textAt(frame, 'data', 'id');
        if (heard.has(id)) this.doubled += 1;
        else if (id < last) this.outOfOrder += 1;
        heard.add(id);
        last = id;
        if (textAt(frame, 'data', 'ticket_id') !== this.#ticketId) this.foreign.push(id);
        else {
          this.#note(id);
          this.#known = addMessage(this.#known, { id }, 'channel');
        }
      }
    });
    socket.on('error', () => {});
    socket.on('close', () => setTimeout(() => this.#connect(), this.#chance.below(60)));
  }

  async #loadMissed(url: string, socket: WebSocket): Promise<void> {
    for (let isLast = false; !isLast;) {
      const after = this.#known.sureUpTo ?? this.#ticketId;
      const path = `/tickets/${this.#ticketId}/messages?limit=${PAGE}&after=${after}`;
      const rows = await ask(url, 'GET', path, this.#token).catch(() => null);
      // The next connection loads it.
      if (this.#socket !== socket || socket.readyState !== WebSocket.OPEN) return;
      if (rows === null) return this.cut();
      const page = listAt(rows).map((row) => ({ id: textAt(row, 'id') }));
      isLast = page.length < PAGE;
      for (const { id } of page) this.#note(id);
      this.#known = addLoaded(this.#known, page, isLast);
    }
  }

  #note(id: string): void {
    if (!this.cameAt.has(id)) this.cameAt.set(id, performance.now());
  }
}

async function ask(url: string, method: string, path: string, token: string | null, body?: unknown): Promise<unknown> {
  const answer = await fetch(`${url}/api${path}`, {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const json: unknown = await answer.json();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(json)}`);
  return json;
}

async function signIn(url: string, account: { username: string; password: string }): Promise<string> {
  return textAt(await ask(url, 'POST', '/users/login', null, account), 'tokens', 'accessToken');
}

interface Conversation {
  readonly ticketId: string;
  readonly tokens: readonly [string, string];
  readonly followers: readonly [Follower, Follower];
  /** By id: when it was sent, and by which side. */
  readonly sent: Map<string, { readonly at: number; readonly side: 0 | 1 }>;
  /** Ids in the order in which the answers of one lane came. */
  readonly lanes: string[][];
}

/** @param urls of processes on one database, whose rate limits are off. */
export async function stormChat(urls: readonly string[], options: ChatStormOptions): Promise<ChatStormReport> {
  const { conversations: count, messages, reconnects, staff, seed, atOnce = 4 } = options;
  const chance = new Chance(seed);
  const [url = ''] = urls;
  const staffToken = await signIn(url, staff);
  const conversations: Conversation[] = [];
  for (let index = 0; index < count; index += 1) {
    const account = { username: `storm-${seed}-${index}`, password: 'crypto-market' };
    await ask(url, 'POST', '/users/register', null, { ...account, email: `${account.username}@chat.example` });
    const token = await signIn(url, account);
    const words = { title: `Storm ${index}`, theme: 'Storm', description: 'Does it hold?' };
    const ticketId = textAt(await ask(url, 'POST', '/tickets/create', token, words), 'id');
    const tokens = [token, staffToken] as const;
    const follow = (side: 0 | 1): Follower => new Follower(urls, tokens[side], ticketId, chance);
    conversations.push({ ticketId, tokens, followers: [follow(0), follow(1)], sent: new Map(), lanes: [] });
  }
  const began = performance.now();
  let left = messages;
  const lane = async (conversation: Conversation, side: 0 | 1): Promise<void> => {
    const own: string[] = [];
    conversation.lanes.push(own);
    while (left > 0) {
      left -= 1;
      const at = performance.now();
      const body = { ticket_id: conversation.ticketId, message: `${side} ${left}`, client_id: randomUUID() };
      const answer = await ask(chance.pick(urls), 'POST', '/tickets/messages', conversation.tokens[side], body);
      const id = textAt(answer, 'id');
      conversation.sent.set(id, { at, side });
      own.push(id);
    }
  };
  const followers = conversations.flatMap((one) => one.followers);
  const cutting = cutAgainAndAgain(followers, reconnects, chance, () => 1 - left / messages);
  const lanes = conversations.flatMap((one) =>
    Array.from({ length: atOnce }, (_, index) => lane(one, index % 2 ? 1 : 0)),
  );
  await Promise.all(lanes);
  await cutting;
  const milliseconds = performance.now() - began;
  await settle(conversations);
  for (const follower of followers) follower.end();
  const kept = new Map<string, readonly string[]>();
  for (const { ticketId, tokens } of conversations) kept.set(ticketId, await readAll(url, ticketId, tokens[0]));
  return judge(conversations, kept, milliseconds);
}

/** So often, spread over the whole storm. */
async function cutAgainAndAgain(
  followers: readonly Follower[],
  times: number,
  chance: Chance,
  progress: () => number,
): Promise<void> {
  for (let done = 0; done < times; done += 1) {
    while (progress() < done / times) await sleep(5);
    chance.pick(followers).cut();
  }
}

async function settle(conversations: readonly Conversation[]): Promise<void> {
  const isWhole = ({ followers, sent }: Conversation): boolean =>
    followers.every(({ cameAt, isWhole: isSure }) => isSure && cameAt.size >= sent.size);
  for (const end = performance.now() + SETTLES_WITHIN_MS; performance.now() < end; await sleep(50)) {
    if (conversations.every(isWhole)) return;
  }
}

async function readAll(url: string, ticketId: string, token: string): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let isLast = false; !isLast;) {
    const path = `/tickets/${ticketId}/messages?limit=${PAGE}&after=${ids.at(-1) ?? ticketId}`;
    const page = listAt(await ask(url, 'GET', path, token)).map((row) => textAt(row, 'id'));
    isLast = page.length < PAGE;
    ids.push(...page);
  }
  return ids;
}

/** @param kept by ticket: what its conversation is for the shop, in its order. */
function judge(
  conversations: readonly Conversation[],
  kept: ReadonlyMap<string, readonly string[]>,
  milliseconds: number,
): ChatStormReport {
  const findings: string[] = [];
  const delays: number[] = [];
  const totals = { acknowledged: 0, reconnects: 0, lost: 0, doubled: 0, outOfOrder: 0, leaked: 0 };
  for (const { ticketId, followers, sent, lanes } of conversations) {
    const order = kept.get(ticketId) ?? [];
    totals.acknowledged += sent.size;
    if (order.length !== sent.size) findings.push(`${ticketId}: ${order.length} kept, ${sent.size} answered`);
    for (const own of lanes) {
      if (own.some((id, index) => index > 0 && id <= (own[index - 1] ?? ''))) {
        findings.push(`${ticketId}: what one sent after the other does not stand after it`);
      }
    }
    for (const [side, follower] of followers.entries()) {
      const { shown } = follower;
      const known = new Set(shown);
      const wrong = {
        lost: [...sent.keys()].filter((id) => !known.has(id)).length,
        doubled: follower.doubled + shown.length - known.size,
        outOfOrder: follower.outOfOrder + (shown.join() === order.join() ? 0 : 1),
        leaked: follower.foreign.length + shown.filter((id) => !sent.has(id)).length,
      };
      totals.lost += wrong.lost;
      totals.doubled += wrong.doubled;
      totals.outOfOrder += wrong.outOfOrder;
      totals.leaked += wrong.leaked;
      totals.reconnects += follower.reconnects;
      if (Object.values(wrong).some((number) => number > 0)) {
        findings.push(`${ticketId}, ${side === 0 ? 'user' : 'support'}: ${JSON.stringify(wrong)}`);
      }
      for (const [id, at] of follower.cameAt) {
        const one = sent.get(id);
        if (one && one.side !== side) delays.push(at - one.at);
      }
    }
  }
  delays.sort((a, b) => a - b);
  const quantile = (share: number): number => Math.round(delays[Math.floor(delays.length * share)] ?? 0);
  const times = { medianMs: quantile(0.5), p99Ms: quantile(0.99), milliseconds: Math.round(milliseconds) };
  return { figures: { ...totals, ...times }, findings };
}
