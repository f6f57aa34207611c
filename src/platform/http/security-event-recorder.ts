/** Records the security events of one call. */
import type { SecurityEventKind, SecurityLog } from '#src/platform/security/security-log.ts';
import type { AccessRule, AnyRoute, Caller, Outcome, Reply, ClientReply } from './call.ts';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

interface PendingEvent {
  readonly kind: SecurityEventKind;
  readonly userId: string | null;
  readonly targetId?: string | undefined;
}

/** The first id of a path. Other parts of it may be secret. */
function findTargetId(params: unknown): string | undefined {
  const values: readonly unknown[] = typeof params === 'object' && params !== null ? Object.values(params) : [];
  return values.find((value): value is string => typeof value === 'string' && UUID.test(value));
}

interface RecordedCall {
  readonly key: string;
  readonly route: Pick<AnyRoute, 'hasPersonalData'>;
  readonly rule: Pick<AccessRule, 'event'> | null;
}
type RecordedCaller = Pick<Caller, 'identity' | 'ip' | 'requestId'>;

export class SecurityEventRecorder {
  readonly #log: SecurityLog;
  readonly #call: RecordedCall;
  readonly #caller: RecordedCaller;
  readonly #pending: PendingEvent[] = [];

  constructor(log: SecurityLog, call: RecordedCall, caller: RecordedCaller) {
    this.#log = log;
    this.#call = call;
    this.#caller = caller;
  }

  /** A reply with which the handler records its own events. */
  createReply(reply: ClientReply): Reply {
    const own = this.#caller.identity?.userId ?? null;
    const note: Reply['recordSecurityEvent'] = (kind, { userId = own, targetId } = {}) =>
      void this.#pending.push({ kind, userId, targetId });
    return { ...reply, recordSecurityEvent: note };
  }

  /** Records the call. Call it once the outcome is known. */
  finish(outcome: Outcome, params: unknown): Outcome {
    const { identity, ip, requestId = '' } = this.#caller;
    const { key } = this.#call;
    const result = outcome.ok ? 'ok' : outcome.refusal.code;
    const targetId = findTargetId(params);
    const userId = identity?.userId ?? null;
    const apiKeyId = identity?.apiKey?.id;
    for (const noted of [...this.#pending, ...this.#listPolicyEvents(outcome, userId)]) {
      const { kind, userId: about, targetId: target = targetId } = noted;
      this.#log.record({ kind, userId: about, apiKeyId, targetId: target, client: ip, requestId, call: key, result });
    }
    return outcome;
  }

  #listPolicyEvents(outcome: Outcome, userId: string | null): PendingEvent[] {
    const { route, rule } = this.#call;
    const isAdmitted = outcome.ok || (outcome.refusal.status !== 403 && outcome.refusal.code !== 'unauthenticated');
    const use = rule?.event ?? null;
    if (isAdmitted && use !== null) return [{ kind: use, userId }];
    if (!outcome.ok)
      return outcome.refusal.status === 403 && this.#pending.length === 0 ? [{ kind: 'forbidden', userId }] : [];
    return route.hasPersonalData && this.#caller.identity?.isStaff ? [{ kind: 'staff_read', userId }] : [];
  }
}
