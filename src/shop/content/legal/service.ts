/** Staff write the legal texts; owners publish them. A published version never changes. */
import { createNotFound, Refusal } from '#src/platform/http/call.ts';
import { TOO_COMPLEX } from '#src/platform/markdown/markdown-document.ts';
import type { TextParser } from '#src/platform/markdown/markdown-parser.ts';
import type { FilledDocument } from '#src/platform/markdown/fill-document.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { StaffActor } from '#src/shop/audit-log/actor.ts';
import { changeDocument, OUTDATED } from '#src/shop/editing/service.ts';
import type { EditingOptions, Written } from '#src/shop/editing/service.ts';
import { describeText } from '../editing.service.ts';
import { checkPlaceholders, CONFIRMATION_TABLE, FIGURE_PLACEHOLDERS } from '../placeholders.ts';
import type { TextFigures } from '../text-figures.ts';
import type { LegalKind } from './legal-kind.ts';
import { fillText, parseStored } from './parse.service.ts';
import { STANDARD_ACCESSIBILITY } from './standard-accessibility.ts';
import * as store from './store.ts';

export interface LegalEditorOptions extends EditingOptions {
  readonly figures: () => TextFigures;
  readonly parser: TextParser;
}

export interface LegalSource {
  readonly summary: string;
  readonly markdown: string;
}

const NO_DRAFT = new Refusal(409, 'no-draft', 'There is no draft. Save one first');
const UNCHANGED = new Refusal(409, 'unchanged', 'The draft is the published text. Change it first');

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
    const source = draft ?? newest ?? (kind === 'accessibility' ? STANDARD_ACCESSIBILITY : null);
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

  save(kind: LegalKind, version: number, { summary, markdown }: LegalSource, by: StaffActor): Promise<Refusal | null> {
    return this.#change(kind, version, by, (tx, draft, at) =>
      saveDraft(tx, draft, { kind, version, summary, markdown, at, by: by.username }, 'content.draft_edited'),
    );
  }

  async publish(kind: LegalKind, version: number, by: StaffActor): Promise<Refusal | null> {
    const { db, parser } = this.#options;
    // Parsed before the transaction; a draft that changes meanwhile has another version. An earlier
    // release may have stored one with too many elements.
    const written = await store.findDraft(db, kind);
    if (written !== null && (await parser.parse(written.markdown)) === null)
      return new Refusal(409, 'too-complex', `The draft ${TOO_COMPLEX}`);
    return this.#change(kind, version, by, async (tx, draft, at) => {
      if (draft === null) return NO_DRAFT;
      const published = await store.findNewest(tx, kind);
      if (hasSameText(draft, published)) return UNCHANGED;
      await store.insertVersion(tx, kind, draft, { at, by: by.username });
      const [before, after] = [published && toTexts(published), toTexts(draft)];
      // The draft keeps its version.
      return { saved: null, recorded: { action: 'content.published', before, after, version } };
    });
  }

  restore(kind: LegalKind, version: number, number: number, by: StaffActor): Promise<Refusal | null> {
    return this.#change(kind, version, by, async (tx, draft, at) => {
      const found = await store.findVersion(tx, kind, number);
      if (found === null) return createNotFound();
      const change = { kind, version, ...toTexts(found), at, by: by.username };
      return saveDraft(tx, draft, change, 'content.draft_restored');
    });
  }

  #change(
    kind: LegalKind,
    version: number,
    by: StaffActor,
    write: (tx: Db, draft: store.DraftRow | null, at: Date) => Promise<DraftResult>,
  ): Promise<Refusal | null> {
    return changeDocument(this.#options, {
      ...describeText(`legal/${kind}`),
      by,
      version,
      lock: async (tx) => {
        const draft = await store.lockDraft(tx, kind);
        return { version: draft?.version ?? 0, draft };
      },
      write: (tx, { draft }, at) => write(tx, draft, at),
    });
  }
}

type DraftResult = Written<null> | Refusal | typeof OUTDATED;

async function saveDraft(
  tx: Db,
  stored: store.DraftRow | null,
  change: store.DraftChange,
  action: string,
): Promise<DraftResult> {
  if (!(await store.saveDraft(tx, change))) return OUTDATED;
  return { saved: null, recorded: { action, before: stored && toTexts(stored), after: toTexts(change) } };
}

const toTexts = ({ summary, markdown }: LegalSource) => ({ summary, markdown });

const hasSameText = (draft: LegalSource, published: LegalSource | null): boolean =>
  published !== null && draft.summary === published.summary && draft.markdown === published.markdown;
