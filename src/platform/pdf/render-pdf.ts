/** Renders a document as a tagged PDF with embedded fonts. Equal documents give equal bytes. */
import PdfKit from 'pdfkit';
import type { PdfBlock, PdfColumn, PdfDocument, PdfRow } from './pdf-document.ts';
import type { PdfFonts } from './pdf-fonts.ts';
import { PdfText, REPLACEMENT } from './pdf-text.ts';
import type { Box, PlacedText, Style, StyledText } from './pdf-text.ts';

const MARGIN = 48;
const FOOTER_HEIGHT = 34;
const [PAGE_WIDTH, PAGE_HEIGHT] = [595.28, 841.89];
const WIDTH = PAGE_WIDTH - 2 * MARGIN;
const BOTTOM = PAGE_HEIGHT - MARGIN - FOOTER_HEIGHT;
const [MUTED, RULE] = ['#565d68', '#c9ced6'];
const [TITLE, HEADING, SMALL] = [22, 11.5, 8];
const CELL_GAP = 10;
const ROW_PADDING = 4;
const REPLACEMENT_NOTE = `“${REPLACEMENT}” stands for a character that this document can’t print.`;

type Pdf = PDFKit.PDFDocument;
type Element = ReturnType<Pdf['struct']>;
class Renderer {
  readonly #pdf: Pdf;
  readonly #root: Element;
  readonly #text: PdfText;
  #y = MARGIN;

  constructor(pdf: Pdf, text: PdfText) {
    this.#pdf = pdf;
    this.#text = text;
    this.#root = pdf.struct('Document');
    pdf.addStructure(this.#root);
  }

  render({ blocks, footer }: PdfDocument): void {
    for (const block of blocks) this.#renderBlock(block);
    if (this.#text.hasReplaced) this.#renderBlock({ kind: 'paragraph', text: REPLACEMENT_NOTE });
    this.#root.end();
    this.#renderFooters(footer);
  }

  #renderBlock(block: PdfBlock): void {
    switch (block.kind) {
      case 'title':
        return this.#renderText('H1', block.text, { font: 'strong', size: TITLE }, 14);
      case 'heading':
        // A heading never stands alone at the end of a page.
        this.#breakPageBefore(70);
        this.#y += 10;
        return this.#renderText('H2', block.text, { font: 'strong', size: HEADING }, 6);
      case 'paragraph':
        return this.#renderText('P', block.text, { color: MUTED }, 8);
      case 'columns':
        return this.#renderColumns(block.columns);
      case 'table':
        return this.#renderTable(block.columns, block.rows);
      default:
        return block satisfies never;
    }
  }

  #breakPageBefore(height: number): boolean {
    if (this.#y + height <= BOTTOM) return false;
    this.#pdf.addPage();
    this.#y = MARGIN;
    return true;
  }

  /** Adds a cell with a paragraph for each text, so that readers keep them apart. */
  #tagCell(row: Element, scope: 'Column' | 'Row' | null, texts: readonly PlacedText[]): void {
    const cell = createCell(this.#pdf, scope === null ? 'TD' : 'TH', scope);
    row.add(cell);
    for (const text of texts) this.#tag(cell, 'P', text);
    cell.end();
  }

  /** Adds a tagged element with text to a parent. */
  #tag(parent: Element, type: string, text: PlacedText): void {
    const actual = this.#text.getActualText(text);
    const element = this.#pdf.struct(type, actual === null ? {} : { actual });
    parent.add(element);
    element.add(this.#pdf.markStructureContent(type));
    this.#text.draw(text);
    this.#pdf.endMarkedContent();
    element.end();
  }

  /** Draws decoration and repeated text that screen readers skip. */
  #drawArtifact(draw: () => void): void {
    this.#pdf.markContent('Artifact', { type: 'Layout' });
    draw();
    this.#pdf.endMarkedContent();
  }

  #drawRule(y: number, color = RULE): void {
    this.#drawArtifact(() => {
      this.#pdf
        .moveTo(MARGIN, y)
        .lineTo(MARGIN + WIDTH, y)
        .lineWidth(0.6)
        .strokeColor(color)
        .stroke();
    });
  }

  #renderText(type: string, text: string, style: Style, after: number): void {
    const height = this.#text.measure(text, WIDTH, style);
    this.#breakPageBefore(height);
    this.#tag(this.#root, type, { text, box: { x: MARGIN, y: this.#y, width: WIDTH }, style });
    this.#y += height + after;
  }

  #renderColumns(columns: readonly { readonly title: string; readonly lines: readonly string[] }[]): void {
    const width = (WIDTH - CELL_GAP * 2 * (columns.length - 1)) / columns.length;
    const titleStyle: Style = { font: 'strong', size: SMALL, color: MUTED };
    const titleHeight = this.#text.measure('Title', width, titleStyle) + 2;
    const texts = columns.map(({ title, lines }) => ({
      title,
      lines: lines.map((line) => ({ line, height: this.#text.measure(line, width, {}) })),
    }));
    const heights = texts.map(({ lines }) => lines.reduce((sum, { height }) => sum + height, titleHeight));
    this.#breakPageBefore(Math.max(...heights));
    for (const [index, { title, lines }] of texts.entries()) {
      const x = MARGIN + index * (width + CELL_GAP * 2);
      let y = this.#y + titleHeight;
      this.#tag(this.#root, 'H2', { text: title, box: { x, y: this.#y, width }, style: titleStyle });
      for (const { line, height } of lines) {
        this.#tag(this.#root, 'P', { text: line, box: { x, y, width }, style: {} });
        y += height;
      }
    }
    this.#y += Math.max(...heights) + 14;
  }

  #renderTable(columns: readonly PdfColumn[], rows: readonly PdfRow[]): void {
    const layout = layOutColumns(columns);
    const hasHeader = columns.some(({ title }) => title !== '');
    const table = this.#pdf.struct('Table');
    this.#root.add(table);
    if (hasHeader) {
      this.#breakPageBefore(60);
      const header = this.#pdf.struct('TR');
      table.add(header);
      this.#renderHeader(layout, (text) => this.#tagCell(header, 'Column', [text]));
      header.end();
    }
    for (const row of rows) this.#renderRow(table, layout, row, hasHeader);
    table.end();
    this.#y += 10;
  }

  #renderHeader(layout: readonly LaidOutColumn[], show: (text: PlacedText) => void): void {
    const style: Style = { font: 'strong', size: SMALL, color: MUTED };
    const titles = layout.map(({ title }) => title);
    const height = Math.max(
      ...titles.map((title, index) => this.#text.measure(title, layout[index]?.width ?? 0, style)),
    );
    for (const [index, column] of layout.entries()) {
      show({ text: titles[index] ?? '', box: { ...column, y: this.#y }, style });
    }
    this.#y += height + ROW_PADDING;
    this.#drawRule(this.#y, MUTED);
  }

  #renderRow(table: Element, layout: readonly LaidOutColumn[], row: PdfRow, hasHeader: boolean): void {
    const style: Style = row.isTotal ? { font: 'strong' } : {};
    const small: Style = { size: SMALL, color: MUTED };
    const cells = layout.map((column, index) => {
      const [first = '', ...others] = (row.cells[index] ?? '').split('\n');
      const more = others.join('\n');
      const firstHeight = this.#text.measure(first, column.width, style);
      return {
        column,
        first,
        more,
        firstHeight,
        height: firstHeight + (more ? this.#text.measure(more, column.width, small) : 0),
      };
    });
    const height = Math.max(...cells.map((cell) => cell.height)) + 2 * ROW_PADDING;
    if (this.#breakPageBefore(height) && hasHeader) {
      this.#renderHeader(layout, (text) => this.#drawArtifact(() => this.#text.draw(text)));
    }
    const y = this.#y + ROW_PADDING;
    const element = this.#pdf.struct('TR');
    table.add(element);
    for (const [index, { column, first, more, firstHeight }] of cells.entries()) {
      const isRowHeader = !hasHeader && index === 0;
      const firstText = { text: first, box: { ...column, y }, style };
      const moreText = { text: more, box: { ...column, y: y + firstHeight }, style: small };
      this.#tagCell(element, isRowHeader ? 'Row' : null, more ? [firstText, moreText] : [firstText]);
    }
    element.end();
    this.#y += height;
    this.#drawRule(this.#y);
  }

  #renderFooters(footer: string): void {
    const { count } = this.#pdf.bufferedPageRange();
    const style: Style = { size: SMALL, color: MUTED };
    const y = PAGE_HEIGHT - MARGIN - FOOTER_HEIGHT + 16;
    for (let page = 0; page < count; page += 1) {
      this.#pdf.switchToPage(page);
      this.#drawArtifact(() => {
        this.#text.draw({ text: footer, box: { x: MARGIN, y, width: WIDTH - 90 }, style });
        const box: Box = { x: MARGIN + WIDTH - 80, y, width: 80, align: 'right' };
        this.#text.draw({ text: `Page ${page + 1} of ${count}`, box, style });
      });
    }
  }
}

const toTexts = (font: StyledText['font'], texts: readonly string[]): StyledText[] =>
  texts.map((text) => ({ text, font }));

/** All texts of a document with the fonts in which they are drawn. */
function listTexts({ blocks, footer }: PdfDocument): StyledText[] {
  const lists = blocks.map((block) => {
    switch (block.kind) {
      case 'title':
      case 'heading':
        return toTexts('strong', [block.text]);
      case 'paragraph':
        return toTexts('regular', [block.text]);
      case 'columns':
        return block.columns.flatMap(({ lines, title }) => [
          ...toTexts('strong', [title]),
          ...toTexts('regular', lines),
        ]);
      case 'table':
        return [
          ...toTexts(
            'strong',
            block.columns.map(({ title }) => title),
          ),
          ...block.rows.flatMap(({ cells, isTotal = false }) =>
            cells.flatMap((cell) => {
              const [first = '', ...others] = cell.split('\n');
              return [...toTexts(isTotal ? 'strong' : 'regular', [first]), ...toTexts('regular', others)];
            }),
          ),
        ];
      default:
        return block satisfies never;
    }
  });
  return [...lists.flat(), ...toTexts('regular', [footer])];
}

/** The types of pdfkit do not declare the scope of a header cell. */
function createCell(pdf: Pdf, type: 'TH' | 'TD', scope: 'Column' | 'Row' | null): Element {
  const options = {};
  if (scope !== null) Reflect.set(options, 'scope', scope);
  return pdf.struct(type, options);
}

type LaidOutColumn = Pick<PdfColumn, 'title'> & Omit<Box, 'y'>;

function layOutColumns(columns: readonly PdfColumn[]): LaidOutColumn[] {
  const total = columns.reduce((sum, { width }) => sum + width, 0);
  const available = WIDTH - CELL_GAP * (columns.length - 1);
  let x = MARGIN;
  return columns.map(({ title, width: share, isNumber = false }) => {
    const width = (available * share) / total;
    const column = { title, x, width, align: isNumber ? 'right' : 'left' } as const;
    x += width + CELL_GAP;
    return column;
  });
}

export async function renderPdf(document: PdfDocument, fonts: PdfFonts): Promise<Buffer> {
  const { author, createdAt, language, title } = document;
  const options: PDFKit.PDFDocumentOptions = {
    size: 'A4',
    margin: 0,
    pdfVersion: '1.7',
    lang: language,
    tagged: true,
    displayTitle: true,
    bufferPages: true,
    info: { Title: title, Author: author, CreationDate: createdAt, ModDate: createdAt },
  };
  // The types do not know this value.
  Reflect.set(options, 'subset', 'PDF/UA');
  const pdf = new PdfKit(options);
  const pieces: Buffer[] = [];
  pdf.on('data', (piece: Buffer) => pieces.push(piece));
  const ended = new Promise<void>((resolve, reject) => pdf.on('end', resolve).on('error', reject));
  const text = await PdfText.create(pdf, { country: document.country, fonts, texts: listTexts(document) });
  new Renderer(pdf, text).render(document);
  pdf.end();
  await ended;
  return Buffer.concat(pieces);
}
