import { Download, Refusal } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import { toStaffActor } from '#src/shop/audit-log/service.ts';
import type { systemApi } from './contract.ts';
import type { System } from './service.ts';

const BACKUP_RUNNING = new Refusal(409, 'backup-running', 'Another backup is being made. Wait until it is complete');

export function createSystemRoutes(system: System): RoutesOf<typeof systemApi> {
  return {
    'GET /support/system': {
      who: 'environment',
      limit: { points: 60, seconds: 60, by: 'caller' },
      handle: () => system.readState(),
    },
    'POST /exports/backup': {
      who: 'backups',
      hasPersonalData: true,
      // Each reads the whole database, and derives a key.
      limit: { points: 6, seconds: 3_600, by: 'caller', isShared: true },
      handle: async ({ body: { passphrase }, caller }) => {
        const file = await system.openBackup(passphrase, toStaffActor(caller), caller.getAbortSignal?.());
        return file === null ? BACKUP_RUNNING : new Download(file.name, 'application/octet-stream', file.pieces);
      },
    },
  };
}
