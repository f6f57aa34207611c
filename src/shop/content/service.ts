/** The merchant's texts in memory: what pages show. Refreshed in every process after a change. */
import { z } from 'zod';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { readRevision } from '#src/platform/database/revisions.ts';
import type { RevisionedData } from '#src/platform/database/revisions.ts';
import type { Cents, Sats } from '#src/shop/money.ts';
import { fillPlaceholders } from './placeholders.ts';
import type { PlaceholderValues } from './placeholders.ts';
import type { TextFigures } from './text-figures.ts';
import { faqItem } from './faq/contract.ts';
import type { FaqItem } from './faq/contract.ts';
import { loadFaq } from './faq/store.ts';
import type { ShownGuide } from './guide/contract.ts';
import { selectGuide, showGuide } from './guide/show-guide.service.ts';
import type { GuideTexts } from './guide/show-guide.service.ts';
import { fillSections } from './home/fill-sections.ts';
import { SECTION_SCHEMAS } from './home/contract.ts';
import type { SectionName, ShownSections } from './home/contract.ts';
import { formatFromPrices } from './home/from-prices.ts';
import { loadSections } from './home/store.ts';
import type { SectionRow } from './home/store.ts';
import { LEGAL_KINDS } from './legal/legal-kind.ts';
import type { LegalKind } from './legal/legal-kind.ts';
import type { PublicText } from './legal/contract.ts';
import { fillText, StoredTexts } from './legal/parse.service.ts';
import type { FilledDocument } from '#src/platform/markdown/fill-document.ts';
import type { TextParser } from '#src/platform/markdown/markdown-parser.ts';
import { findNewestNumber, loadPublished } from './legal/store.ts';
import type { VersionRow } from './legal/store.ts';

export const CONTENT_TOPIC = 'content';

/** The price of a product, or of the cheapest one on sale. */
interface StartingPrice {
  readonly cents: Cents;
  /** Null while there is no rate. */
  readonly sats: Sats | null;
}

/** What texts quote from the catalogue. */
export interface PriceSource {
  /** The product's price, or that of the cheapest product for an unknown slug; null without products. */
  readonly findStartingPrice: (slug: string) => StartingPrice | null;
  readonly isOnSale: (slug: string) => boolean;
  /** Changes with every price and with the display rate. */
  readonly getVersion: () => string;
}

export interface ContentOptions {
  readonly db: Db;
  readonly prices: PriceSource;
  readonly figures: () => TextFigures;
  readonly parser: TextParser;
}

/** A page of an empty live shop shows what is for sale. */
const DEFAULT_ROWS = { rows: [{ title: 'Products', categories: [], count: 8 }] };

/** A version of a legal text, with the figures of the settings. */
interface NumberedText extends FilledDocument {
  readonly number: number;
}

interface ContentData {
  readonly revision: bigint;
  /** What texts quote. */
  readonly figures: TextFigures;
  /** Sections that are shown, with placeholders. */
  readonly sections: ShownSections;
  /** Of the section about delivery. */
  readonly deliveryVersion: string;
  readonly faq: readonly FaqItem[];
  readonly legal: ReadonlyMap<LegalKind, VersionRow>;
  readonly guide: GuideTexts;
}

/** Null for a body that this release does not know. */
export function parseBody<Body>(schema: z.ZodType<Body>, body: unknown): Body | null {
  const parsed = schema.safeParse(body);
  return parsed.success ? parsed.data : null;
}

function selectShown(rows: readonly SectionRow[]): ShownSections {
  const byName = new Map(rows.map((row) => [row.name, row]));
  const select = <Body>(name: SectionName, schema: z.ZodType<Body>): Body | undefined => {
    const row = byName.get(name);
    return row?.isShown === true ? (parseBody(schema, row.body) ?? undefined) : undefined;
  };
  return {
    search: select('search', SECTION_SCHEMAS.search),
    hero: select('hero', SECTION_SCHEMAS.hero),
    rows: byName.has('rows') ? select('rows', SECTION_SCHEMAS.rows) : DEFAULT_ROWS,
    advantages: select('advantages', SECTION_SCHEMAS.advantages),
    banner: select('banner', SECTION_SCHEMAS.banner),
    partners: select('partners', SECTION_SCHEMAS.partners),
    delivery: select('delivery', SECTION_SCHEMAS.delivery),
  };
}

export class Content implements RevisionedData {
  readonly topic = CONTENT_TOPIC;
  readonly #options: ContentOptions;
  readonly #texts: StoredTexts;
  #data: ContentData;

  private constructor(options: ContentOptions) {
    this.#options = options;
    this.#texts = new StoredTexts(options.parser);
    this.#data = {
      revision: 0n,
      figures: options.figures(),
      sections: {},
      deliveryVersion: '',
      faq: [],
      legal: new Map(),
      guide: { lead: '', markdown: '' },
    };
  }

  static async open(options: ContentOptions): Promise<Content> {
    const content = new Content(options);
    await content.refresh();
    return content;
  }

  get revision(): bigint {
    return this.#data.revision;
  }

  async refresh(): Promise<void> {
    const figures = this.#options.figures();
    this.#data = await transact(
      this.#options.db,
      async (tx) => {
        const revision = await readRevision(tx, this.topic);
        const rows = await loadSections(tx);
        const questions = await loadFaq(tx);
        const published = await loadPublished(tx);
        return {
          revision,
          figures,
          sections: selectShown(rows),
          guide: selectGuide(rows),
          deliveryVersion: String(rows.find(({ name }) => name === 'delivery')?.version ?? 0),
          faq: questions.map(({ id, question, answer }) =>
            z.encode(faqItem, { id, question: fill(question, figures.values), answer: fill(answer, figures.values) }),
          ),
          legal: new Map(published.map((version) => [version.kind, version])),
        };
      },
      { isolationLevel: 'repeatable read' },
    );
    const { guide, legal } = this.#data;
    this.#texts.keep([guide.markdown, ...[...legal.values()].map(({ markdown }) => markdown)]);
  }

  /** Name and address of the shop. All other figures are settings of the process. */
  get #quoted(): string {
    const { values } = this.#data.figures;
    return `${values.shop_name} ${values.shop_address}`;
  }

  /** Changes with every text; with the prices it is the version of the home page's texts. */
  get version(): string {
    return `${this.#data.revision} ${this.#quoted}`;
  }

  get deliveryVersion(): string {
    return this.#data.deliveryVersion;
  }

  get homeVersion(): string {
    return `${this.version} ${this.#options.prices.getVersion()}`;
  }

  /** Changes when a legal text is published. */
  get legalVersion(): string {
    return this.#quoted + LEGAL_KINDS.map((kind) => this.#data.legal.get(kind)?.number ?? 0).join(' ');
  }

  /** Questions and answers in display order, in wire form. */
  listFaq(): readonly FaqItem[] {
    return this.#data.faq;
  }

  /** Sections of the home page with prices, in wire form. */
  getHome(): Omit<ShownSections, 'delivery'> {
    const { delivery: _, ...home } = this.#data.sections;
    return this.fillPrices(home);
  }

  /** What the home page and the web app say about the shop. */
  get description(): string {
    const { search } = this.#data.sections;
    return (search && this.fillPrices({ search }).search?.description) ?? '';
  }

  /** Replaces the price placeholders of sections. */
  fillPrices(sections: ShownSections): ShownSections {
    const { prices } = this.#options;
    const slug = sections.hero?.product ?? this.#data.sections.hero?.product ?? '';
    const filled = fillSections(sections, formatFromPrices(prices.findStartingPrice(slug)));
    const { hero } = filled;
    // A picture never links to a product that is not on sale.
    return hero && !prices.isOnSale(hero.product) ? { ...filled, hero: { ...hero, product: '' } } : filled;
  }

  getDelivery(): ShownSections['delivery'] | null {
    return this.#data.sections.delivery ?? null;
  }

  /** How to buy, in wire form. */
  async getGuide(): Promise<ShownGuide> {
    const { guide, figures } = this.#data;
    const published = this.listLegalKinds();
    const document = await this.#texts.parse(guide.markdown);
    return showGuide({ lead: guide.lead, document }, figures, published);
  }

  /** In the order of the footer. */
  listLegalKinds(): LegalKind[] {
    return LEGAL_KINDS.filter((kind) => this.#data.legal.has(kind));
  }

  /** The number of the version in force; null if none is published. */
  findLegalNumber(kind: LegalKind): number | null {
    return this.#data.legal.get(kind)?.number ?? null;
  }

  /** The text in force according to the database, also if another process published it just now. */
  async readLegalText(kind: LegalKind): Promise<NumberedText | null> {
    if ((await findNewestNumber(this.#options.db, kind)) !== this.findLegalNumber(kind)) await this.refresh();
    const { legal, figures } = this.#data;
    const version = legal.get(kind);
    if (version === undefined) return null;
    return { ...fillText(await this.#texts.parse(version.markdown), figures), number: version.number };
  }

  /** The text in force; null if none is published. */
  async findLegalText(kind: LegalKind): Promise<PublicText | null> {
    const { legal, figures } = this.#data;
    const version = legal.get(kind);
    if (version === undefined) return null;
    const { summary, markdown, number, publishedAt } = version;
    return {
      ...fillText(await this.#texts.parse(markdown), figures),
      summary: fill(summary, figures.values),
      number,
      published_at: publishedAt.toISOString(),
    };
  }
}

const fill = (text: string, values: PlaceholderValues): string => fillPlaceholders(text, values) ?? text;
