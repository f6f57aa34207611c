/** Measures and draws text of any script, with the main font where it has all characters. */
import { reorderMyanmar } from './reorder-myanmar.ts';
import { breakLines, listClusters, orderRuns, splitParagraph, toPrintable } from './break-lines.ts';
import type { Cluster } from './break-lines.ts';
import type { PdfFonts } from './pdf-fonts.ts';
import { chooseHanStyle, hidePositions, ScriptFonts } from './script-fonts.ts';

type Pdf = PDFKit.PDFDocument;
export type FontWeight = 'regular' | 'strong';
export interface Style {
  readonly font?: FontWeight;
  readonly size?: number;
  readonly color?: string;
}
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly align?: 'left' | 'right';
}
/** A text with its place on the page. */
export interface PlacedText {
  readonly text: string;
  readonly box: Box;
  readonly style: Style;
}
export interface StyledText {
  readonly text: string;
  readonly font: FontWeight;
}

const INK = '#14171c';
const BODY = 9;
/** Printed in place of a character that no font has. */
export const REPLACEMENT = '\uFFFD';
const WEIGHTS: Readonly<Record<FontWeight, number>> = { regular: 400, strong: 600 };
/** Font files of one document, 20 to 60 ms each. Characters of further files are replaced. */
const MAX_FONT_FILES = 200;
/** Files that are tried for a character, since some lack what their table lists. */
const MAX_CHOICES = 3;

const scriptFonts = new ScriptFonts();

interface Parsed {
  hasGlyphForCodePoint(code: number): boolean;
  layout(text: string): { readonly direction: 'ltr' | 'rtl' };
}
interface Embedded {
  readonly font: Parsed;
  /** In thousandths of the size. */
  readonly ascender: number;
}

const isEmbedded = (value: unknown): value is Embedded =>
  typeof value === 'object' && value !== null && 'ascender' in value && 'font' in value;

/** The current font of a document, which the types of pdfkit do not declare. */
function getEmbedded(pdf: Pdf): Embedded {
  const font: unknown = Reflect.get(pdf, '_font');
  if (!isEmbedded(font)) throw new Error('this version of pdfkit keeps its font elsewhere');
  return font;
}

interface WantedCluster {
  readonly key: string;
  readonly cluster: string;
  readonly weight: FontWeight;
  readonly urls: readonly string[];
}

interface FontCluster extends Cluster {
  /** A registered font. */
  readonly font: string;
}

interface Run {
  readonly font: string;
  readonly level: number;
  readonly text: string;
  readonly width: number;
}

const IGNORABLE = /^\p{Default_Ignorable_Code_Point}$/u;

/** Marks and conjuncts, whose glyphs do not have the order of the text. */
const COMBINED = /\p{M}/u;

const countCodes = (cluster: string): number => Array.from(cluster).filter((one) => !IGNORABLE.test(one)).length;

export class PdfText {
  readonly #pdf: Pdf;
  readonly #country: string | undefined;
  readonly #known = new Map<string, boolean>();
  /** The registered font of a cluster by weight, style of Chinese characters and cluster. */
  readonly #fonts = new Map<string, string>();
  /** Files by registered font. */
  readonly #subsets = new Map<string, Buffer>();
  readonly #unplaced = new Set<string>();
  readonly #directions = new Map<string, 'ltr' | 'rtl'>();
  hasReplaced = false;

  private constructor(pdf: Pdf, country: string | undefined) {
    this.#pdf = pdf;
    this.#country = country;
  }

  /** @param texts all texts that will be drawn: their fonts are loaded */
  static async create(
    pdf: Pdf,
    {
      country,
      fonts,
      texts,
    }: {
      readonly country: string | undefined;
      readonly fonts: PdfFonts;
      readonly texts: readonly StyledText[];
    },
  ): Promise<PdfText> {
    pdf.registerFont('regular', fonts.regular);
    pdf.registerFont('strong', fonts.strong);
    const text = new PdfText(pdf, country);
    await text.#loadFonts(texts);
    return text;
  }

  async #loadFonts(texts: readonly StyledText[]): Promise<void> {
    const wanted = new Map<string, WantedCluster>();
    for (const { font: weight, text: raw } of texts) {
      const text = toPrintable(raw);
      const style = chooseHanStyle(text, this.#country);
      for (const cluster of this.#splitUnknown(text)) {
        const key = `${weight} ${style} ${cluster}`;
        if (wanted.has(key)) continue;
        const urls = await scriptFonts.find(cluster, style, WEIGHTS[weight]);
        wanted.set(key, { key, cluster, weight, urls });
      }
    }
    let fileCount = 0;
    let missing = [...wanted.values()];
    for (let choice = 0; choice < MAX_CHOICES; choice += 1) {
      const files = Map.groupBy(missing, ({ urls, weight }) => (urls[choice] ? `${weight} ${urls[choice]}` : ''));
      // If a document needs too many files, those of most characters count.
      for (const [name, clusters] of [...files].toSorted(([, a], [, b]) => b.length - a.length)) {
        const { urls = [], weight = 'regular' } = clusters[0] ?? {};
        const url = urls[choice];
        if (url === undefined || (fileCount += 1) > MAX_FONT_FILES) continue;
        await this.#registerFont(name, url, { clusters, weight, choice });
      }
      missing = missing.filter(({ key }) => !this.#fonts.has(key));
    }
  }

  async #registerFont(
    name: string,
    url: string,
    { choice, clusters, weight }: { choice: number; clusters: readonly WantedCluster[]; weight: FontWeight },
  ): Promise<void> {
    const characters = clusters.map(({ cluster }) => cluster + cluster.normalize('NFD')).join('');
    // A file may be the first choice of some clusters and the second of others.
    const font = `${name} ${choice}`;
    const file = await scriptFonts.subset(url, characters, WEIGHTS[weight]);
    this.#pdf.registerFont(font, file);
    this.#subsets.set(font, file);
    for (const { cluster, key } of clusters) {
      if (this.#canPrint(font, cluster)) this.#fonts.set(key, font);
      else if (this.#hasGlyphs(font, cluster)) {
        const unplaced = this.#getUnplaced(font);
        if (unplaced !== null && this.#canPrint(unplaced, cluster)) this.#fonts.set(key, unplaced);
      }
    }
  }

  /**
   * The same font without its table of positions, where fontkit fails at missing entries: marks have the place that
   * they are drawn at. Null for the main font, and if it is such a font.
   */
  #getUnplaced(font: string): string | null {
    const file = this.#subsets.get(font);
    if (file === undefined) return null;
    const unplaced = `${font} unplaced`;
    if (!this.#unplaced.has(unplaced)) {
      this.#pdf.registerFont(unplaced, hidePositions(file));
      this.#unplaced.add(unplaced);
    }
    return unplaced;
  }

  #hasGlyphs(font: string, cluster: string): boolean {
    try {
      const { font: parsed } = getEmbedded(this.#pdf.font(font));
      return Array.from(cluster).every(
        (one) => IGNORABLE.test(one) || parsed.hasGlyphForCodePoint(one.codePointAt(0) ?? 0),
      );
    } catch {
      // A file that lacks all characters that its table lists.
      return false;
    }
  }

  /** Whether a font has the glyphs of a cluster and can combine them. */
  #canPrint(font: string, cluster: string): boolean {
    try {
      getEmbedded(this.#pdf.font(font)).font.layout(cluster);
      return this.#hasGlyphs(font, cluster);
    } catch {
      return false;
    }
  }

  #isKnown(cluster: string): boolean {
    const isKnown = this.#known.get(cluster) ?? this.#canPrint('regular', cluster);
    this.#known.set(cluster, isKnown);
    return isKnown;
  }

  /** Clusters that the main font lacks. Characters that no file has together are looked for one by one. */
  #splitUnknown(text: string): string[] {
    return listClusters(text).flatMap((cluster) => {
      if (this.#isKnown(cluster)) return [];
      const parts = countCodes(cluster) > 1 ? Array.from(cluster).filter((one) => !this.#isKnown(one)) : [];
      return [cluster, ...parts.filter((one) => !IGNORABLE.test(one))];
    });
  }

  /** The clusters of a printable paragraph with their fonts. */
  #chooseFonts(paragraph: string, { font: weight = 'regular' }: Style): FontCluster[] {
    const style = chooseHanStyle(paragraph, this.#country);
    const findFont = (cluster: string): string | undefined =>
      this.#isKnown(cluster) ? weight : this.#fonts.get(`${weight} ${style} ${cluster}`);
    return splitParagraph(paragraph).flatMap((cluster) => {
      const font = findFont(cluster.text);
      if (font !== undefined) return [{ ...cluster, font }];
      const parts = Array.from(cluster.text).filter((one) => !IGNORABLE.test(one));
      const fonts = parts.map(findFont);
      if (fonts.includes(undefined)) {
        this.hasReplaced = true;
        return [{ ...cluster, text: REPLACEMENT, font: weight }];
      }
      return parts.map((text, at) => ({
        ...cluster,
        text,
        written: at === 0 ? cluster.written : '',
        font: fonts[at] ?? weight,
      }));
    });
  }

  /** The direction in which a font lays out a text. */
  #getDirection(font: string, text: string): 'ltr' | 'rtl' {
    const key = `${font} ${text}`;
    const direction = this.#directions.get(key) ?? getEmbedded(this.#pdf.font(font)).font.layout(text).direction;
    this.#directions.set(key, direction);
    return direction;
  }

  /** Neighbours with one font and direction, in reading order. The size is set before. */
  #createRuns(line: readonly FontCluster[], size: number): Run[] {
    const groups: FontCluster[][] = [];
    for (const cluster of line) {
      const group = groups.at(-1);
      if (group?.[0]?.font === cluster.font && group[0].level === cluster.level) group.push(cluster);
      else groups.push([cluster]);
    }
    return groups.flatMap(
      (group) =>
        this.#createRun(group, size) ?? this.#createUnplacedRun(group, size) ?? this.#createSingleRuns(group, size),
    );
  }

  /** Null if the font can't lay out these clusters together: fontkit fails at some combinations of marks. */
  #createRun(group: readonly FontCluster[], size: number): Run | null {
    const { font = 'regular', level = 0 } = group[0] ?? {};
    const texts = group.map(({ text }) => text);
    try {
      const isReversed = (this.#getDirection(font, texts.join('')) === 'rtl') !== (level % 2 === 1);
      const text = reorderMyanmar((isReversed ? texts.toReversed() : texts).join(''));
      const width = this.#pdf.font(font).fontSize(size).widthOfString(text, { features: [] });
      return { font, level, text, width };
    } catch {
      return null;
    }
  }

  #createUnplacedRun(group: readonly FontCluster[], size: number): Run | null {
    const font = this.#getUnplaced(group[0]?.font ?? '');
    return font === null
      ? null
      : this.#createRun(
          group.map((cluster) => ({ ...cluster, font })),
          size,
        );
  }

  /** Each cluster for itself, as it is without its neighbours. */
  #createSingleRuns(group: readonly FontCluster[], size: number): Run[] {
    return group.flatMap((cluster) => {
      const run = this.#createRun([cluster], size);
      if (run !== null) return [run];
      this.hasReplaced = true;
      return this.#createRun([{ ...cluster, text: REPLACEMENT, font: 'regular' }], size) ?? [];
    });
  }

  #breakLines(paragraph: string, width: number, style: Style): FontCluster[][] {
    const { size = BODY } = style;
    const measure = (line: readonly FontCluster[]): number =>
      this.#createRuns(line, size).reduce((sum, run) => sum + run.width, 0);
    return breakLines(paragraph, { clusters: this.#chooseFonts(paragraph, style), measure, width });
  }

  #setStyle({ font = 'regular', size = BODY, color = INK }: Style): void {
    this.#pdf.font(font).fontSize(size).fillColor(color);
  }

  /** The text if the main font prints it from left to right, a glyph per letter; otherwise null. */
  #getSimpleText(text: string, style: Style): string | null {
    const paragraphs = text.split('\n').map((paragraph) => this.#chooseFonts(paragraph, style));
    const isSimple =
      !COMBINED.test(text) &&
      paragraphs.every((clusters) =>
        clusters.every(({ font, level }) => level === 0 && (font === 'regular' || font === 'strong')),
      );
    return isSimple ? paragraphs.map((clusters) => clusters.map((one) => one.text).join('')).join('\n') : null;
  }

  #getLineHeight(style: Style): number {
    this.#setStyle(style);
    return this.#pdf.currentLineHeight(true);
  }

  /** The height of a text. */
  measure(raw: string, width: number, style: Style): number {
    const text = toPrintable(raw);
    const simple = this.#getSimpleText(text, style);
    if (simple !== null) {
      this.#setStyle(style);
      return this.#pdf.heightOfString(simple, { width });
    }
    const lines = text.split('\n').flatMap((paragraph) => this.#breakLines(paragraph, width, style));
    return lines.length * this.#getLineHeight(style);
  }

  /** Glyphs of other scripts are drawn from left to right: the text in reading order, otherwise null. */
  getActualText({ text, style }: PlacedText): string | null {
    const printable = toPrintable(text);
    return this.#getSimpleText(printable, style) === null ? printable : null;
  }

  /** Draws a text that fits on the page. */
  draw({ text: raw, box, style }: PlacedText): void {
    const text = toPrintable(raw);
    const { x, y, width, align = 'left' } = box;
    const simple = this.#getSimpleText(text, style);
    if (simple !== null) {
      this.#setStyle(style);
      this.#pdf.text(simple, x, y, { width, align });
      return;
    }
    const height = this.#getLineHeight(style);
    const { size = BODY } = style;
    let baseline = y + (getEmbedded(this.#pdf).ascender / 1000) * size;
    for (const paragraph of text.split('\n')) {
      for (const line of this.#breakLines(paragraph, width, style)) {
        this.#drawLine(line, { x, y: baseline, width, align }, style);
        baseline += height;
      }
    }
  }

  #drawLine(line: readonly FontCluster[], { x: left, y, width, align }: Box, style: Style): void {
    const { size = BODY, color = INK } = style;
    const runs = orderRuns(this.#createRuns(line, size));
    const used = runs.reduce((sum, run) => sum + run.width, 0);
    let x = align === 'right' ? left + width - used : left;
    // What readers of the PDF copy and search instead of the glyphs. Words from right to left they turn around
    // themselves, some also in this text.
    const isFromLeft = line.every(({ level }) => level % 2 === 0);
    if (isFromLeft) this.#pdf.markContent('Span', { actual: line.map(({ written }) => written).join('') });
    for (const run of runs) {
      this.#pdf.font(run.font).fontSize(size).fillColor(color);
      this.#pdf.text(run.text, x, y, { lineBreak: false, features: [], baseline: 'alphabetic' });
      x += run.width;
    }
    if (isFromLeft) this.#pdf.endMarkedContent();
  }
}
