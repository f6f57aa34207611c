/**
 * Stress test of conversations through several processes while connections are cut. Compares the
 * received messages with the responses.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { SeededRandom } from './seeded-random.ts';
import { callApi, Follower, PAGE } from './chat-follower.ts';
import { listAt, textAt } from './read-json.ts';

export interface ChatStressOptions {
  readonly conversations: number;
  /** Total of all conversations. */
  readonly messages: number;
  readonly reconnects: number;
  readonly staff: { readonly username: string; readonly password: string };
  readonly seed: number;
  /** Concurrent messages per side. */
  readonly concurrency?: number;
}

export interface ChatStressReport {
  readonly figures: {
    readonly acknowledged: number;
    readonly reconnects: number;
    readonly lost: number;
    readonly duplicates: number;
    readonly outOfOrder: number;
    readonly leaked: number;
    /** Time from before posting until live delivery to the other side, in ms. */
    readonly medianMs: number;
    readonly p99Ms: number;
    readonly milliseconds: number;
  };
  readonly findings: readonly string[];
}

const SETTLES_WITHIN_MS = 120_000;

async function signIn(url: string, account: { username: string; password: string }): Promise<string> {
  return textAt(await callApi(url, 'POST', '/users/login', null, account), 'tokens', 'accessToken');
}

interface Conversation {
  readonly ticketId: string;
  readonly tokens: readonly [string, string];
  readonly followers: readonly [Follower, Follower];
  /** Send time and side of each message by id. */
  readonly sent: Map<string, { readonly at: number; readonly side: 0 | 1 }>;
  /** Ids in the order of the responses of one lane. */
  readonly lanes: string[][];
}

/** @param urls processes on one database, with rate limits off. */
export async function stressChat(urls: readonly string[], options: ChatStressOptions): Promise<ChatStressReport> {
  const { conversations: count, messages, reconnects, staff, seed, concurrency = 4 } = options;
  const random = new SeededRandom(seed);
  const [url = ''] = urls;
  const staffToken = await signIn(url, staff);
  const conversations: Conversation[] = [];
  for (let index = 0; index < count; index += 1) {
    const account = { username: `stress-${seed}-${index}`, password: 'crypto-market' };
    await callApi(url, 'POST', '/users/register', null, { ...account, email: `${account.username}@chat.example` });
    const token = await signIn(url, account);
    const ticket = { title: `Stress ${index}`, theme: 'Stress', description: 'Stress test' };
    const ticketId = textAt(await callApi(url, 'POST', '/tickets/create', token, ticket), 'id');
    const tokens = [token, staffToken] as const;
    const follow = (side: 0 | 1): Follower => new Follower(urls, tokens[side], ticketId, random);
    conversations.push({ ticketId, tokens, followers: [follow(0), follow(1)], sent: new Map(), lanes: [] });
  }
  const began = performance.now();
  let left = messages;
  const runLane = async (conversation: Conversation, side: 0 | 1): Promise<void> => {
    const own: string[] = [];
    conversation.lanes.push(own);
    while (left > 0) {
      left -= 1;
      const at = performance.now();
      const body = { ticket_id: conversation.ticketId, message: `${side} ${left}`, client_id: randomUUID() };
      const result = await callApi(random.pick(urls), 'POST', '/tickets/messages', conversation.tokens[side], body);
      const id = textAt(result, 'id');
      conversation.sent.set(id, { at, side });
      own.push(id);
    }
  };
  const followers = conversations.flatMap((one) => one.followers);
  const cutting = cutRepeatedly(followers, reconnects, random, () => 1 - left / messages);
  const lanes = conversations.flatMap((one) =>
    Array.from({ length: concurrency }, (_, index) => runLane(one, index % 2 ? 1 : 0)),
  );
  await Promise.all(lanes);
  await cutting;
  const milliseconds = performance.now() - began;
  await waitForDelivery(conversations);
  for (const follower of followers) follower.end();
  const stored = new Map<string, readonly string[]>();
  for (const { ticketId, tokens } of conversations) stored.set(ticketId, await readAll(url, ticketId, tokens[0]));
  return compareConversations(conversations, stored, milliseconds);
}

/** Cuts connections throughout the test; skips a connection that is already cut. */
async function cutRepeatedly(
  followers: readonly Follower[],
  times: number,
  random: SeededRandom,
  progress: () => number,
): Promise<void> {
  for (let done = 0; done < times; done += 1) {
    const listConnected = (): readonly Follower[] => followers.filter(({ isConnected }) => isConnected);
    while (progress() < done / times || listConnected().length === 0) await sleep(5);
    random.pick(listConnected()).cut();
  }
}

async function waitForDelivery(conversations: readonly Conversation[]): Promise<void> {
  const isWhole = ({ followers, sent }: Conversation): boolean =>
    followers.every(({ arrivedAt, isSettled }) => isSettled && arrivedAt.size >= sent.size);
  for (const end = performance.now() + SETTLES_WITHIN_MS; performance.now() < end; await sleep(50)) {
    if (conversations.every(isWhole)) return;
  }
}

async function readAll(url: string, ticketId: string, token: string): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let isLast = false; !isLast;) {
    const path = `/tickets/${ticketId}/messages?limit=${PAGE}&after=${ids.at(-1) ?? ticketId}`;
    const page = listAt(await callApi(url, 'GET', path, token)).map((row) => textAt(row, 'id'));
    isLast = page.length < PAGE;
    ids.push(...page);
  }
  return ids;
}

/** @param stored by ticket: the stored conversation, in order. */
function compareConversations(
  conversations: readonly Conversation[],
  stored: ReadonlyMap<string, readonly string[]>,
  milliseconds: number,
): ChatStressReport {
  const findings: string[] = [];
  const delays: number[] = [];
  const totals = { acknowledged: 0, reconnects: 0, lost: 0, duplicates: 0, outOfOrder: 0, leaked: 0 };
  for (const { ticketId, followers, sent, lanes } of conversations) {
    const order = stored.get(ticketId) ?? [];
    totals.acknowledged += sent.size;
    if (order.length !== sent.size) findings.push(`${ticketId}: ${order.length} stored, ${sent.size} acknowledged`);
    for (const own of lanes) {
      if (own.some((id, index) => index > 0 && id <= (own[index - 1] ?? ''))) {
        findings.push(`${ticketId}: messages sent one after the other are stored in another order`);
      }
    }
    for (const [side, follower] of followers.entries()) {
      const { shown } = follower;
      const known = new Set(shown);
      const wrong = {
        lost: [...sent.keys()].filter((id) => !known.has(id)).length,
        duplicates: follower.duplicates + shown.length - known.size,
        outOfOrder: follower.outOfOrder + (shown.join() === order.join() ? 0 : 1),
        leaked: follower.foreign.length + shown.filter((id) => !sent.has(id)).length,
      };
      totals.lost += wrong.lost;
      totals.duplicates += wrong.duplicates;
      totals.outOfOrder += wrong.outOfOrder;
      totals.leaked += wrong.leaked;
      totals.reconnects += follower.reconnects;
      if (Object.values(wrong).some((number) => number > 0)) {
        findings.push(`${ticketId}, ${side === 0 ? 'user' : 'support'}: ${JSON.stringify(wrong)}`);
      }
      for (const [id, at] of follower.arrivedAt) {
        const message = sent.get(id);
        if (message && message.side !== side) delays.push(at - message.at);
      }
    }
  }
  delays.sort((a, b) => a - b);
  const computeQuantile = (share: number): number => Math.round(delays[Math.floor(delays.length * share)] ?? 0);
  const times = {
    medianMs: computeQuantile(0.5),
    p99Ms: computeQuantile(0.99),
    milliseconds: Math.round(milliseconds),
  };
  return { figures: { ...totals, ...times }, findings };
}
