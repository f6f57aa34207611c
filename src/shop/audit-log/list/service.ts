/** The audit log as owners read and export it. */
import type { z } from 'zod';
import { formatCsvLine } from '#src/platform/csv/csv-line.ts';
import { joinLines } from '#src/platform/csv/join-lines.ts';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import { toRowRange } from '#src/shop/list-pages.ts';
import type { StaffActor } from '../actor.ts';
import type { AuditEntry, AuditSubject } from '../audit-entry.ts';
import { exportAuditLog, listAuditEntries, recordChange } from '../service.ts';
import type { AuditFilter, ExportOptions } from '../service.ts';
import { formatExportName } from '#src/shop/export-name.ts';
import { toPeriod } from '#src/shop/shop-days.ts';
import type { auditApi } from './contract.ts';
import { describeAction, describeChanges } from './describe-entry.ts';
import { listMaskedKinds, maskUrls } from './mask-urls.ts';
import { nameSubject } from './name-subject.ts';
import { findNumbered, findSubjects } from './store.ts';

type Query = z.output<(typeof auditApi)['GET /exports/audit']['query']>;
type Listed = z.output<(typeof auditApi)['GET /support/audit']['response']>;

export interface AuditListOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly shopSettings: {
    /** IANA name. */
    readonly timeZone: string;
    /** Order numbers that a text may mean. */
    findOrderNumbers(text: string): readonly string[];
    formatOrderNumber(number: bigint): string;
  };
  /** Members of the team. */
  readonly listTeam: (db: Db) => Promise<readonly { readonly id: string; readonly username: string }[]>;
}

/** What is known today of a subject. Accounts of the team have no page among the customers. */
interface KnownSubject {
  readonly name: string;
  readonly isMember: boolean;
}

/** @param numberedIds orders and tickets whose number the text is */
function toFilter(
  { q, actor, kind, ...days }: Query,
  { timeZone, numberedIds, role }: { timeZone: string; numberedIds: readonly string[]; role: string },
): AuditFilter {
  const { from, to } = toPeriod(days, timeZone);
  const text = q?.trim() ?? '';
  return {
    ...(text !== '' && { text, numberedIds, unsearchedKinds: listMaskedKinds(role) }),
    ...((actor === 'command' || actor === 'api-key') && { actorKind: actor }),
    ...(actor !== undefined && actor !== 'command' && actor !== 'api-key' && { actorId: actor }),
    ...(kind !== undefined && { subjectKind: kind }),
    ...(from !== null && { from }),
    ...(to !== null && { to }),
  };
}

const TEAM_PATH = '/admin/settings/team';

const show = (
  { id, at, action, subject, details, areFieldsErased }: AuditEntry,
  known: KnownSubject | null,
): Listed['entries'][number] => ({
  id: String(id),
  at,
  action,
  title: describeAction(action),
  actor: details?.actorName ?? null,
  ip: details?.ip ?? null,
  subject: {
    ...subject,
    ...nameSubject(subject, action, { known: known?.name ?? null, recorded: details?.subjectName ?? null }),
    ...(known?.isMember === true && { path: TEAM_PATH }),
  },
  changes: details === null ? [] : describeChanges(details),
  is_erased: details === null || areFieldsErased,
});

export class AuditList {
  readonly #options: AuditListOptions;

  constructor(options: AuditListOptions) {
    this.#options = options;
  }

  /** @param role of the reader */
  async list({ page = 1, ...query }: Query & { readonly page?: number | undefined }, role: string): Promise<Listed> {
    const range = toRowRange(page);
    const { db, listTeam, shopSettings } = this.#options;
    const { timeZone } = shopSettings;
    const [{ entries, total, hasMore }, members] = await Promise.all([
      listAuditEntries(db, await this.#toFilter(query, role), range),
      listTeam(db),
    ]);
    const known = await this.#readNames(entries.map(({ subject }) => subject));
    const actors = members.map(({ id, username }) => ({ id, username }));
    const maskedKinds = listMaskedKinds(role);
    const mask = (entry: AuditEntry): AuditEntry =>
      entry.details !== null && maskedKinds.includes(entry.subject.kind)
        ? { ...entry, details: maskUrls(entry.details) }
        : entry;
    const shown = entries.map((entry) => show(mask(entry), known.get(entry.subject.id) ?? null));
    return { entries: shown, total, has_more: hasMore, page, actors, time_zone: timeZone };
  }

  /** Numbers of orders and tickets, names of accounts and senders, by id. */
  async #readNames(subjects: readonly AuditSubject[]): Promise<ReadonlyMap<string, KnownSubject>> {
    const { db, shopSettings } = this.#options;
    const found = await findSubjects(db, subjects);
    return new Map(
      found.map(({ kind, id, name }) => [
        id,
        {
          name: kind === 'order' ? shopSettings.formatOrderNumber(BigInt(name)) : name,
          isMember: kind === 'member',
        },
      ]),
    );
  }

  async #toFilter(query: Query, role: string): Promise<AuditFilter> {
    const { db, shopSettings } = this.#options;
    const text = query.q?.trim() ?? '';
    const orders = shopSettings.findOrderNumbers(text);
    const ticket = /^#?(\d{1,18})$/.exec(text)?.[1];
    const isNumber = orders.length > 0 || ticket !== undefined;
    const numberedIds = isNumber
      ? await findNumbered(db, { orders, tickets: ticket === undefined ? [] : [ticket] })
      : [];
    return toFilter(query, { timeZone: shopSettings.timeZone, numberedIds, role });
  }

  /** File name and CSV in pieces. Records the export first. @param role of the reader @param signal stops it */
  async export(
    query: Query,
    by: StaffActor,
    role: string,
    signal?: AbortSignal,
  ): Promise<{ readonly name: string; readonly pieces: AsyncIterable<string> }> {
    const { db, clock } = this.#options;
    await transact(db, (tx) =>
      recordChange(tx, {
        at: clock.now(),
        by,
        action: 'report.exported',
        subject: { kind: 'report', id: 'audit-log' },
        before: null,
        after: { ...query },
      }),
    );
    const maskedKinds = new Set<string>(listMaskedKinds(role));
    const mask: ExportOptions['mask'] = (entry) =>
      entry.details !== null && maskedKinds.has(entry.subjectKind)
        ? { ...entry, details: maskUrls(entry.details) }
        : entry;
    const pieces = joinLines(formatLines(exportAuditLog(db, await this.#toFilter(query, role), { signal, mask })));
    return { name: formatExportName('audit-log', query), pieces };
  }
}

async function* formatLines(rows: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  for await (const cells of rows) yield formatCsvLine(cells);
}
