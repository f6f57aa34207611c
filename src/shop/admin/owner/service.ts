/** Actions of owners: change roles, view settings, download the accounting export. */
import type { Clock } from '#src/platform/process/clock.ts';
import { TimeSlice } from '#src/platform/process/time-slice.ts';
import type { Actor } from '#src/shop/audit-log/actor.ts';
import type { Db } from '#src/platform/database/database.ts';
import { transact } from '#src/platform/database/database.ts';
import type { Role } from '#src/shop/permissions.ts';
import { recordChange } from '#src/shop/audit-log/service.ts';
import type { Profile } from '#src/shop/accounts/profile/service.ts';
import { Roles } from '#src/shop/accounts/roles.service.ts';
import type { RoleChangeResult } from '#src/shop/accounts/roles.service.ts';
import { formatExportName } from '#src/shop/export-name.ts';
import { toPeriod } from '#src/shop/shop-days.ts';
import type { ShopDays } from '#src/shop/shop-days.ts';
import type { ShopSettings } from '#src/shop/shop-settings/service.ts';
import { writeAccountingExport } from '#src/shop/accounting-export/service.ts';

/** About 40,000 payments. Larger exports need the command line. */
const MAX_EXPORT_CHARACTERS = 10_000_000;

export interface OwnerOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly shopSettings: Pick<ShopSettings, 'timeZone'>;
  readonly profile: Pick<Profile, 'endSessions'>;
  /** Every setting in force, secrets masked. */
  readonly settings: readonly { readonly name: string; readonly value: string | null }[];
}

class TooLarge extends Error {}

export class Owner {
  readonly #options: OwnerOptions;
  readonly #roles: Roles;

  constructor(options: OwnerOptions) {
    this.#options = options;
    this.#roles = new Roles({
      ...options,
      endSessions: (tx, userId) => options.profile.endSessions(tx, userId, null),
    });
  }

  async listStaff() {
    const staff = await this.#roles.list();
    return {
      staff: staff.map(({ hasSecondFactor, lastSeenAt, ...member }) => ({
        ...member,
        has_second_factor: hasSecondFactor,
        last_seen_at: lastSeenAt,
      })),
    };
  }

  changeRole(username: string, role: Role, by: Actor): Promise<RoleChangeResult> {
    return this.#roles.change(username, role, by);
  }

  listSettings() {
    return { settings: this.#options.settings.map(({ name, value }) => ({ name, value })) };
  }

  /** The accounting export of these days; null if it is too large for one response, or the signal aborts. */
  async exportAccounting(
    { from, to }: ShopDays,
    by: Actor,
    signal?: AbortSignal,
  ): Promise<{ readonly filename: string; readonly csv: string } | null> {
    const parts: string[] = [];
    let length = 0;
    const { timeZone } = this.#options.shopSettings;
    const period = toPeriod({ from, to }, timeZone);
    const slice = new TimeSlice();
    const add = async (text: string): Promise<void> => {
      signal?.throwIfAborted();
      length += text.length;
      if (length > MAX_EXPORT_CHARACTERS) throw new TooLarge();
      parts.push(text);
      await slice.pause();
    };
    try {
      await writeAccountingExport(this.#options.db, period, add, signal);
    } catch (error) {
      if (error instanceof TooLarge || signal?.aborted === true) return null;
      throw error;
    }
    await transact(this.#options.db, (tx) =>
      recordChange(tx, {
        at: this.#options.clock.now(),
        by,
        action: 'report.exported',
        subject: { kind: 'report', id: 'books' },
        before: null,
        after: { from, to, time_zone: timeZone },
      }),
    );
    return { filename: formatExportName('books', { from, to }), csv: parts.join('') };
  }
}
