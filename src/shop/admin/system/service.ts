/** What the shop runs on, and backups that owners download. */
import type { z } from 'zod';
import { recordBackup } from '#src/platform/database/backup-record.ts';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { openEncryptedBackup } from '#src/platform/database/encrypted-backup.ts';
import { readAppliedMigrations } from '#src/platform/database/migrate.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import type { Log } from '#src/platform/process/log.ts';
import { readHost } from '#src/platform/process/read-host.ts';
import type { StaffActor } from '#src/shop/audit-log/actor.ts';
import { recordChange } from '#src/shop/audit-log/service.ts';
import { toShopDay } from '#src/shop/shop-days.ts';
import type { ShopSettings } from '#src/shop/shop-settings/service.ts';
import type { systemApi } from './contract.ts';
import { readDatabaseState } from './store.ts';

type ShownSystem = z.output<(typeof systemApi)['GET /support/system']['response']>;

export interface SystemOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly shopSettings: Pick<ShopSettings, 'fileSlug' | 'timeZone'>;
  /** Of the environment, as far as it is no secret. */
  readonly environment: {
    readonly version: string;
    readonly dataDir: string;
    readonly network: string;
    readonly chainSource: string;
  };
}

export interface BackupFile {
  readonly name: string;
  readonly pieces: AsyncIterable<Uint8Array>;
}

export class System {
  readonly #options: SystemOptions;

  constructor(options: SystemOptions) {
    this.#options = options;
  }

  async readState(): Promise<ShownSystem> {
    const { db, environment } = this.#options;
    const { version, network, chainSource, dataDir } = environment;
    const [database, migrations, host] = await Promise.all([
      readDatabaseState(db),
      readAppliedMigrations(db),
      readHost(dataDir),
    ]);
    const newest = migrations.at(-1);
    return {
      version,
      schema: { number: newest?.number ?? 1, name: newest?.name ?? '' },
      node: host.node,
      platform: host.platform,
      postgres: database.version,
      database_bytes: database.bytes,
      network,
      chain_source: chainSource,
      disk: host.disk && { free_bytes: host.disk.freeBytes, total_bytes: host.disk.totalBytes },
      uptime_s: host.uptimeSeconds,
    };
  }

  /** An encrypted backup as a file; null while another one is running. @param signal stops it */
  async openBackup(passphrase: string, by: StaffActor, signal?: AbortSignal): Promise<BackupFile | null> {
    const { clock, db, log, shopSettings } = this.#options;
    const now = clock.now();
    const name = `${shopSettings.fileSlug}-${toShopDay(now, shopSettings.timeZone)}.backup`;
    const backup = await openEncryptedBackup(db, {
      now,
      passphrase,
      signal,
      // The file is complete, even if a full disk refuses the record.
      onComplete: () =>
        recordBackup(db, now, 'download').catch((error: unknown) =>
          log.warn({ err: error }, 'a downloaded backup could not be recorded'),
        ),
    });
    if (backup === null) return null;
    try {
      await transact(db, (tx) =>
        recordChange(tx, {
          at: now,
          by,
          action: 'report.exported',
          subject: { kind: 'report', id: 'backup' },
          before: null,
          after: { file: name },
        }),
      );
    } catch (error) {
      await backup.cancel();
      throw error;
    }
    return { name, pieces: backup.pieces };
  }
}
