/** Security events in the log: one JSON line each, without names, mail addresses, passwords, tokens or codes. */
import type { Log } from '#src/platform/process/log.ts';

export type SecurityEventKind =
  | 'login_succeeded'
  | 'login_failed'
  /** Refused without checking the password: too many failures. */
  | 'login_locked'
  | 'reauthenticated'
  | 'reauthentication_failed'
  | 'password_reset_requested'
  | 'password_reset_used'
  | 'password_reset_failed'
  | 'password_changed'
  | 'address_changed'
  | 'account_deleted'
  /** A wrong code of an authenticator app, or a wrong recovery code. */
  | 'second_factor_failed'
  /** A member of the team set up or removed the second factor, or replaced the recovery codes. */
  | 'second_factor_changed'
  | 'recovery_code_used'
  | 'role_changed'
  /** Staff created, changed, enabled, disabled or deleted a promotion. */
  | 'promotion_changed'
  /** A call that was refused with 403. */
  | 'forbidden'
  /** Staff read personal data. */
  | 'staff_read'
  /** Staff moved money or attempted it. */
  | 'staff_money_action'
  /** Staff changed products, categories or brands. */
  | 'catalogue_changed'
  /** Staff changed stock or its thresholds. */
  | 'stock_changed'
  /** An owner used a call for owners only. */
  | 'owner_action';

export interface SecurityEvent {
  readonly kind: SecurityEventKind;
  /** The affected or acting account. Null if unknown. */
  readonly userId: string | null;
  /** The API key of the call, if any. */
  readonly apiKeyId?: string | undefined;
  /** The client's address. */
  readonly client: string;
  readonly requestId: string;
  /** Method and path of the contract. */
  readonly call: string;
  /** Id of the order, ticket, refund or account, if any. */
  readonly targetId?: string | undefined;
  /** 'ok', or the code of the refusal. */
  readonly result: string;
}

const WARNING_EVENTS: ReadonlySet<SecurityEventKind> = new Set([
  'login_failed',
  'login_locked',
  'reauthentication_failed',
  'password_reset_failed',
  'second_factor_failed',
  'forbidden',
]);
/** Maximum lines per client, kind and minute. Further events are counted. */
const MAX_LINES_PER_MINUTE = 120;
const MINUTE_MS = 60_000;
const MAX_TRACKED_CLIENTS = 10_000;
/** An open page repeats its request. Repeats within this time count as one reading. */
const READ_DEDUPLICATION_MS = 15 * MINUTE_MS;

interface LineCounter {
  readonly since: number;
  lines: number;
  suppressed: number;
}

export class SecurityLog {
  readonly #log: Log;
  readonly #now: () => number;
  readonly #counts = new Map<string, LineCounter>();
  readonly #recentReads = new Map<string, number>();

  /** @param now in ms; for the limit on lines only. */
  constructor(log: Log, now: () => number = () => performance.now()) {
    this.#log = log;
    this.#now = now;
  }

  record(event: SecurityEvent): void {
    if (event.kind === 'staff_read' && this.#isRepeatedRead(event)) return;
    const suppressed = this.#countLine(`${event.kind} ${event.client}`);
    if (suppressed === null) return;
    const { kind, userId, apiKeyId, client, requestId, call, targetId, result } = event;
    const fields = {
      security_event: kind,
      user_id: userId,
      ...(apiKeyId === undefined ? {} : { api_key_id: apiKeyId }),
      client,
      request_id: requestId,
      call,
      ...(targetId === undefined ? {} : { target_id: targetId }),
      result,
      // Earlier events of this kind and client that were not logged.
      ...(suppressed === 0 ? {} : { suppressed }),
    };
    if (WARNING_EVENTS.has(kind)) this.#log.warn(fields, 'security event');
    else this.#log.info(fields, 'security event');
  }

  /** How many events were not logged before this one. Null if this one is not logged. */
  #countLine(key: string): number | null {
    const now = this.#now();
    const known = this.#counts.get(key);
    if (known && now - known.since < MINUTE_MS) {
      known.lines += 1;
      if (known.lines <= MAX_LINES_PER_MINUTE) return 0;
      known.suppressed += 1;
      return null;
    }
    evictOldest(this.#counts);
    this.#counts.delete(key);
    this.#counts.set(key, { since: now, lines: 1, suppressed: 0 });
    return known?.suppressed ?? 0;
  }

  #isRepeatedRead({ userId, client, call, targetId = '', result }: SecurityEvent): boolean {
    const key = `${userId} ${client} ${call} ${targetId} ${result}`;
    const now = this.#now();
    const before = this.#recentReads.get(key);
    if (before !== undefined && now - before < READ_DEDUPLICATION_MS) return true;
    evictOldest(this.#recentReads);
    this.#recentReads.delete(key);
    this.#recentReads.set(key, now);
    return false;
  }
}

function evictOldest(known: Map<string, unknown>): void {
  const [oldest] = known.keys();
  if (known.size >= MAX_TRACKED_CLIENTS && oldest !== undefined) known.delete(oldest);
}
