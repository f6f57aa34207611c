/** Staff change the texts of the home page. */
import type { z } from 'zod';
import { refuseInvalid } from '#src/platform/http/call.ts';
import type { Refusal } from '#src/platform/http/call.ts';
import type { StaffActor } from '#src/shop/audit-log/actor.ts';
import { changeDocument, OUTDATED } from '#src/shop/editing/service.ts';
import type { EditingOptions } from '#src/shop/editing/service.ts';
import { describeText } from '../editing.service.ts';
import { checkPlaceholders, PRICE_PLACEHOLDERS } from '../placeholders.ts';
import type { Content, PriceSource } from '../service.ts';
import { parseBody } from '../service.ts';
import { SECTION_SCHEMAS } from './contract.ts';
import type { SectionName, ShownSections } from './contract.ts';
import { listTexts } from './fill-sections.ts';
import { checkPictures } from './pictures.service.ts';
import type { PictureLibrary } from './pictures.service.ts';
import { loadSections, saveSection } from './store.ts';
import type { SectionRow } from './store.ts';

export interface HomeEditorOptions extends EditingOptions {
  readonly content: Content;
  readonly prices: PriceSource;
  readonly pictures: PictureLibrary;
}

/** A text that is left out while its placeholder has no value; other texts are needed. */
const FILLED_TEXTS = /^(?:subtitle|line|text|description|cards\.\d+\.(?:text|overlay_text))$/;

export interface SectionEdit {
  readonly version: number;
  readonly isShown: boolean;
  readonly body: object;
  readonly by: StaffActor;
}

export class HomeEditor {
  readonly #options: HomeEditorOptions;

  constructor(options: HomeEditorOptions) {
    this.#options = options;
  }

  async list() {
    const stored = new Map((await loadSections(this.#options.db)).map((row) => [row.name, row]));
    const show = <Body>(name: SectionName, schema: z.ZodType<Body>) => showSection(schema, stored.get(name));
    return {
      search: show('search', SECTION_SCHEMAS.search),
      hero: show('hero', SECTION_SCHEMAS.hero),
      rows: show('rows', SECTION_SCHEMAS.rows),
      advantages: show('advantages', SECTION_SCHEMAS.advantages),
      banner: show('banner', SECTION_SCHEMAS.banner),
      partners: show('partners', SECTION_SCHEMAS.partners),
      delivery: show('delivery', SECTION_SCHEMAS.delivery),
    };
  }

  /** Messages by field: unknown placeholders, and a product that is not on sale. Empty if there are none. */
  check(name: SectionName, body: object): Readonly<Record<string, string>> {
    const messages: Record<string, string> = {};
    for (const [path, text] of listTexts(body)) {
      const message = checkPlaceholders(text, FILLED_TEXTS.test(path) ? PRICE_PLACEHOLDERS : []);
      if (message !== null) messages[`body.${path}`] = message;
    }
    const product = name === 'hero' ? parseBody(SECTION_SCHEMAS.hero, body)?.product : undefined;
    if ((product ?? '') !== '' && !this.#options.prices.isOnSale(product ?? '')) {
      messages['body.product'] = 'is not the address of a product on sale';
    }
    return messages;
  }

  save(name: SectionName, { version, isShown, body, by }: SectionEdit): Promise<Refusal | null> {
    return changeDocument(this.#options, {
      ...describeText(`home/${name}`),
      by,
      version,
      lock: async (tx) => {
        const invalid = refuseInvalid(await checkPictures(tx, this.#options.pictures, body));
        const stored = (await loadSections(tx)).find((row) => row.name === name);
        return { ...(stored ?? { version: 0, body: {}, isShown: true }), invalid };
      },
      write: async (tx, stored, at) => {
        if (stored.invalid !== null) return stored.invalid;
        if (!(await saveSection(tx, { name, body, isShown, version, at, by: by.username }))) return OUTDATED;
        const [before, after] = [toAuditFields(stored.body, stored.isShown), toAuditFields(body, isShown)];
        return { saved: null, recorded: { action: 'content.edited', before, after } };
      },
    });
  }

  /** The sections as the home page would show them. */
  preview(sections: Omit<ShownSections, 'search' | 'rows' | 'delivery'>) {
    return this.#options.content.fillPrices(sections);
  }
}

/** A section as audit entries show it. */
const toAuditFields = (body: unknown, isShown: boolean) => ({
  ...(typeof body === 'object' ? body : {}),
  is_shown: isShown,
});

function showSection<Body>(schema: z.ZodType<Body>, row: SectionRow | undefined) {
  return {
    version: row?.version ?? 0,
    is_shown: row?.isShown ?? true,
    body: row === undefined ? null : parseBody(schema, row.body),
    updated_at: row?.updatedAt ?? null,
    updated_by: row?.updatedBy ?? null,
  };
}
