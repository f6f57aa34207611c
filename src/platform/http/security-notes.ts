/** What one call leaves in the security log. */
import type { SecurityEventKind, SecurityLog } from '#src/platform/security/security-log.ts';
import { eventOfUse } from './call.ts';
import type { AnyRoute, Caller, Outcome, Reply, SentReply } from './call.ts';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

interface Noted {
  readonly kind: SecurityEventKind;
  readonly userId: string | null;
  readonly targetId?: string | undefined;
}

/** The first id in a path; whatever else stands there may be a secret. */
function targetOf(params: unknown): string | undefined {
  const values: readonly unknown[] = typeof params === 'object' && params !== null ? Object.values(params) : [];
  return values.find((value): value is string => typeof value === 'string' && UUID.test(value));
}

interface CallToNote {
  readonly key: string;
  readonly route: Pick<AnyRoute, 'who' | 'hasPersonalData'>;
}
type CallerToNote = Pick<Caller, 'identity' | 'ip' | 'requestId'>;

export class SecurityNotes {
  readonly #log: SecurityLog;
  readonly #call: CallToNote;
  readonly #caller: CallerToNote;
  readonly #noted: Noted[] = [];

  constructor(log: SecurityLog, call: CallToNote, caller: CallerToNote) {
    this.#log = log;
    this.#call = call;
    this.#caller = caller;
  }

  /** A reply by which the handler of the call notes its own events. */
  on(reply: SentReply): Reply {
    const own = this.#caller.identity?.userId ?? null;
    const note: Reply['note'] = (kind, { userId = own, targetId } = {}) =>
      void this.#noted.push({ kind, userId, targetId });
    return { ...reply, note };
  }

  /** Records what the call was, once its outcome is known. */
  finish(outcome: Outcome, params: unknown): Outcome {
    const { identity, ip, requestId = '' } = this.#caller;
    const { key, route } = this.#call;
    const result = outcome.ok ? 'ok' : outcome.refusal.code;
    const targetId = targetOf(params);
    const userId = identity?.userId ?? null;
    for (const noted of [...this.#noted, ...this.#ofPolicy(outcome, route, userId)]) {
      const { kind, userId: about, targetId: target = targetId } = noted;
      this.#log.record({ kind, userId: about, targetId: target, client: ip, requestId, call: key, result });
    }
    return outcome;
  }

  #ofPolicy(outcome: Outcome, route: CallToNote['route'], userId: string | null): Noted[] {
    const isAdmitted = outcome.ok || (outcome.refusal.status !== 403 && outcome.refusal.code !== 'unauthenticated');
    const use = eventOfUse(route.who);
    if (isAdmitted && use !== null) return [{ kind: use, userId }];
    if (!outcome.ok)
      return outcome.refusal.status === 403 && this.#noted.length === 0 ? [{ kind: 'forbidden', userId }] : [];
    const role = this.#caller.identity?.role ?? 'customer';
    return route.hasPersonalData && role !== 'customer' ? [{ kind: 'staff_read', userId }] : [];
  }
}
