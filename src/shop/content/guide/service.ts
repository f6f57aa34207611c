/** Staff change the text about how to buy. */
import type { Refusal } from '#src/platform/http/call.ts';
import { TOO_COMPLEX } from '#src/platform/markdown/markdown-document.ts';
import type { TextParser } from '#src/platform/markdown/markdown-parser.ts';
import type { StaffActor } from '#src/shop/audit-log/actor.ts';
import { changeDocument, OUTDATED } from '#src/shop/editing/service.ts';
import type { EditingOptions } from '#src/shop/editing/service.ts';
import { describeText } from '../editing.service.ts';
import { loadSections, saveSection } from '../home/store.ts';
import { checkPlaceholders, CONFIRMATION_TABLE, FIGURE_PLACEHOLDERS } from '../placeholders.ts';
import { readOwnGuide } from './show-guide.service.ts';
import type { GuideTexts } from './show-guide.service.ts';
import { STANDARD_GUIDE } from './standard-guide.ts';

export interface GuideEditorOptions extends EditingOptions {
  readonly parser: TextParser;
}

export class GuideEditor {
  readonly #options: GuideEditorOptions;

  constructor(options: GuideEditorOptions) {
    this.#options = options;
  }

  async read() {
    const rows = await loadSections(this.#options.db);
    const row = rows.find(({ name }) => name === 'guide');
    const own = readOwnGuide(rows);
    return {
      ...(own ?? STANDARD_GUIDE),
      version: row?.version ?? 0,
      is_own: own !== null,
      updated_at: row?.updatedAt ?? null,
      updated_by: row?.updatedBy ?? null,
    };
  }

  /** Messages by field. Empty if there are none. */
  async check({ lead, markdown }: GuideTexts): Promise<Readonly<Record<string, string>>> {
    const inLead = checkPlaceholders(lead, FIGURE_PLACEHOLDERS);
    const unknown = checkPlaceholders(markdown, [...FIGURE_PLACEHOLDERS, CONFIRMATION_TABLE]);
    const inMarkdown = unknown ?? ((await this.#options.parser.parse(markdown)) === null ? TOO_COMPLEX : null);
    return { ...(inLead !== null && { lead: inLead }), ...(inMarkdown !== null && { markdown: inMarkdown }) };
  }

  save(version: number, body: GuideTexts, by: StaffActor): Promise<Refusal | null> {
    return this.#store(version, body, true, by);
  }

  /** The own text stays stored, so that its version never starts again. */
  reset(version: number, by: StaffActor): Promise<Refusal | null> {
    return this.#store(version, STANDARD_GUIDE, false, by);
  }

  #store(version: number, { lead, markdown }: GuideTexts, isShown: boolean, by: StaffActor): Promise<Refusal | null> {
    return changeDocument(this.#options, {
      ...describeText('guide'),
      by,
      version,
      lock: async (tx) => {
        const rows = await loadSections(tx);
        return {
          version: rows.find(({ name }) => name === 'guide')?.version ?? 0,
          texts: readOwnGuide(rows) ?? STANDARD_GUIDE,
        };
      },
      write: async (tx, { texts }, at) => {
        const section = { name: 'guide', body: { lead, markdown }, isShown, version, at, by: by.username };
        if (!(await saveSection(tx, section))) return OUTDATED;
        const action = isShown ? 'content.edited' : 'content.reset';
        return { saved: null, recorded: { action, before: { ...texts }, after: section.body } };
      },
    });
  }
}
