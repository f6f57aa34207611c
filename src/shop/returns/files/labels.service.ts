/** Labels that staff upload. Audited as a label that is a link. */
import { Refusal } from '#src/platform/http/call.ts';
import type { StaffActor } from '#src/shop/audit-log/actor.ts';
import type { RefusedUpload } from '#src/shop/pictures/service.ts';
import type { ReturnDesk } from '../desk/service.ts';
import { refuseLabel } from './refuse-file.service.ts';
import type { ReturnFiles } from './service.ts';

export interface ReturnLabelsOptions {
  readonly desk: Pick<ReturnDesk, 'changeLabel'>;
  readonly files: ReturnFiles;
}

interface SeenReturn {
  readonly id: string;
  readonly version: number;
}

export class ReturnLabels {
  readonly #options: ReturnLabelsOptions;

  constructor(options: ReturnLabelsOptions) {
    this.#options = options;
  }

  /** Replaces the label. @param bytes a PDF, PNG or JPEG */
  async upload({ id, version }: SeenReturn, bytes: Buffer, by: StaffActor) {
    const { desk, files } = this.#options;
    const prepared = await files.prepareLabel(bytes, by.userId);
    if (!prepared.ok) return refuseLabel(prepared satisfies RefusedUpload);
    const changed = await desk.changeLabel(id, { version, by, isRemoved: false }, async (tx) => {
      const full = await files.replaceLabel(tx, id, prepared.file);
      return full === null ? {} : refuseLabel({ ok: false, reason: full });
    });
    if (changed instanceof Refusal) await files.discard(prepared.file.id);
    return changed;
  }

  remove({ id, version }: SeenReturn, by: StaffActor) {
    const { desk, files } = this.#options;
    return desk.changeLabel(id, { version, by, isRemoved: true }, async (tx, row) => {
      if (row.label === null) return null;
      await files.replaceLabel(tx, id, null);
      return {};
    });
  }
}
