/** Staff write the legal texts; owners publish them. A published version never changes. */
import { TOO_COMPLEX } from '#src/platform/markdown/markdown-document.ts';
import type { TextParser } from '#src/platform/markdown/markdown-parser.ts';
import type { FilledDocument } from '#src/platform/markdown/fill-document.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { StaffActor } from '#src/shop/audit-log/actor.ts';
import { changeContent } from '../change.service.ts';
import type { ChangeOptions, ChangeResult, ContentChange, RefusedChange } from '../change.service.ts';
import { checkPlaceholders, CONFIRMATION_TABLE, FIGURE_PLACEHOLDERS } from '../placeholders.ts';
import type { TextFigures } from '../text-figures.ts';
import type { LegalKind } from './legal-kind.ts';
import { fillText, parseStored } from './parse.service.ts';
import * as store from './store.ts';

export interface LegalEditorOptions extends ChangeOptions {
  readonly figures: () => TextFigures;
  readonly parser: TextParser;
}

export interface LegalSource {
  readonly summary: string;
  readonly markdown: string;
}

type Messages = Readonly<Record<string, string>>;
type PreviewResult =
  | { readonly ok: true; readonly document: FilledDocument }
  | { readonly ok: false; readonly fields: Messages };

export class LegalEditor {
  readonly #options: LegalEditorOptions;

  constructor(options: LegalEditorOptions) {
    this.#options = options;
  }

  async find(kind: LegalKind) {
    const { db } = this.#options;
    const [draft, newest, versions] = await Promise.all([
      store.findDraft(db, kind),
      store.findNewest(db, kind),
      store.listVersions(db, kind),
    ]);
    // Without a draft the published text is the start of the next one.
    const source = draft ?? newest;
    return {
      kind,
      draft: {
        summary: source?.summary ?? '',
        markdown: source?.markdown ?? '',
        version: draft?.version ?? 0,
        updated_at: draft?.updatedAt ?? null,
        updated_by: draft?.updatedBy ?? null,
        is_changed: draft !== null && !hasSameText(draft, newest),
      },
      versions: versions.map(({ number, publishedAt, publishedBy }) => ({
        number,
        published_at: publishedAt,
        published_by: publishedBy,
      })),
    };
  }

  async findVersion(kind: LegalKind, number: number) {
    const found = await store.findVersion(this.#options.db, kind, number);
    return (
      found && {
        number,
        published_at: found.publishedAt,
        published_by: found.publishedBy,
        summary: found.summary,
        markdown: found.markdown,
        document: await this.#showVersion(found.markdown),
      }
    );
  }

  /** Messages by field. Empty if there are none. */
  async check({ summary, markdown }: LegalSource): Promise<Messages> {
    const messages = this.#checkPlaceholders({ summary, markdown });
    if (messages['markdown'] !== undefined || (await this.#options.parser.parse(markdown)) !== null) return messages;
    return { ...messages, markdown: TOO_COMPLEX };
  }

  #checkPlaceholders({ summary, markdown }: LegalSource): Messages {
    const messages: Record<string, string> = {};
    const inSummary = checkPlaceholders(summary, FIGURE_PLACEHOLDERS);
    const inMarkdown = checkPlaceholders(markdown, [...FIGURE_PLACEHOLDERS, CONFIRMATION_TABLE]);
    if (inSummary !== null) messages['summary'] = inSummary;
    if (inMarkdown !== null) messages['markdown'] = inMarkdown;
    return messages;
  }

  /** The text as its page would show it, or messages by field. */
  async preview(markdown: string): Promise<PreviewResult> {
    const fields = this.#checkPlaceholders({ summary: '', markdown });
    if (Object.keys(fields).length > 0) return { ok: false, fields };
    const { parser, figures } = this.#options;
    const document = await parser.parse(markdown);
    if (document === null) return { ok: false, fields: { markdown: TOO_COMPLEX } };
    return { ok: true, document: fillText(document, figures()) };
  }

  async #showVersion(markdown: string): Promise<FilledDocument> {
    const { parser, figures } = this.#options;
    return fillText(await parseStored(parser, markdown), figures());
  }

  save(kind: LegalKind, version: number, { summary, markdown }: LegalSource, by: StaffActor): Promise<ChangeResult> {
    return changeContent(this.#options, by, (tx) =>
      this.#saveDraft(tx, { kind, version, summary, markdown, by, action: 'content.draft_edited' }),
    );
  }

  async publish(kind: LegalKind, version: number, by: StaffActor): Promise<ChangeResult> {
    const { clock, db, parser } = this.#options;
    const at = clock.now();
    // Parsed before the transaction; a draft that changes meanwhile has another version. An earlier
    // release may have stored one with too many elements.
    const written = await store.findDraft(db, kind);
    if (written !== null && (await parser.parse(written.markdown)) === null)
      return { ok: false, reason: 'too-complex' };
    return changeContent(this.#options, by, async (tx) => {
      const draft = await store.lockDraft(tx, kind, version);
      if (draft === null) return version === 0 ? 'no-draft' : 'changed-meanwhile';
      const published = await store.findNewest(tx, kind);
      if (hasSameText(draft, published)) return 'unchanged';
      await store.insertVersion(tx, kind, draft, { at, by: by.username });
      return {
        action: 'content.published',
        of: `legal/${kind}`,
        before: published && toTexts(published),
        after: toTexts(draft),
      };
    });
  }

  restore(kind: LegalKind, version: number, number: number, by: StaffActor): Promise<ChangeResult> {
    return changeContent(this.#options, by, async (tx) => {
      const found = await store.findVersion(tx, kind, number);
      if (found === null) return 'not-found';
      return this.#saveDraft(tx, { kind, version, ...toTexts(found), by, action: 'content.draft_restored' });
    });
  }

  async #saveDraft(
    tx: Db,
    edit: LegalSource & {
      readonly kind: LegalKind;
      readonly version: number;
      readonly by: StaffActor;
      readonly action: string;
    },
  ): Promise<RefusedChange | ContentChange> {
    const { kind, version, summary, markdown, by, action } = edit;
    const at = this.#options.clock.now();
    const stored = await store.findDraft(tx, kind);
    const isSaved =
      (stored?.version ?? 0) === version &&
      (await store.saveDraft(tx, { kind, version, summary, markdown, at, by: by.username }));
    if (!isSaved) return 'changed-meanwhile';
    return { action, of: `legal/${kind}`, before: stored && toTexts(stored), after: { summary, markdown } };
  }
}

const toTexts = ({ summary, markdown }: LegalSource) => ({ summary, markdown });

const hasSameText = (draft: LegalSource, published: LegalSource | null): boolean =>
  published !== null && draft.summary === published.summary && draft.markdown === published.markdown;
