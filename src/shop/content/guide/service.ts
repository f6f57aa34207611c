/** Staff change the text about how to buy. */
import { TOO_COMPLEX } from '#src/platform/markdown/markdown-document.ts';
import type { TextParser } from '#src/platform/markdown/markdown-parser.ts';
import type { StaffActor } from '#src/shop/audit-log/actor.ts';
import { changeContent } from '../change.service.ts';
import type { ChangeOptions, ChangeResult } from '../change.service.ts';
import { loadSections, saveSection } from '../home/store.ts';
import { checkPlaceholders, CONFIRMATION_TABLE, FIGURE_PLACEHOLDERS } from '../placeholders.ts';
import { readOwnGuide } from './show-guide.service.ts';
import type { GuideTexts } from './show-guide.service.ts';
import { STANDARD_GUIDE } from './standard-guide.ts';

export interface GuideEditorOptions extends ChangeOptions {
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

  save(version: number, body: GuideTexts, by: StaffActor): Promise<ChangeResult> {
    return this.#store(version, body, true, by);
  }

  /** The own text stays stored, so that its version never starts again. */
  reset(version: number, by: StaffActor): Promise<ChangeResult> {
    return this.#store(version, STANDARD_GUIDE, false, by);
  }

  #store(version: number, { lead, markdown }: GuideTexts, isShown: boolean, by: StaffActor): Promise<ChangeResult> {
    const at = this.#options.clock.now();
    const change = { name: 'guide', body: { lead, markdown }, isShown, version, at, by: by.username };
    return changeContent(this.#options, by, async (tx) => {
      const before = { ...(readOwnGuide(await loadSections(tx)) ?? STANDARD_GUIDE) };
      if (!(await saveSection(tx, change))) return 'changed-meanwhile';
      return { action: isShown ? 'content.edited' : 'content.reset', of: 'guide', before, after: { lead, markdown } };
    });
  }
}
